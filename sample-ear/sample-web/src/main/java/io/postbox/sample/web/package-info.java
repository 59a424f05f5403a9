/** The sample's HTTP interface under {@code /api}: JSON in, JSON out, errors included. */
@NullMarked
package io.postbox.sample.web;

import org.jspecify.annotations.NullMarked;
