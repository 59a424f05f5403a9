/**
 * What tests and measurements share: an Artemis broker that can be killed, frozen and started
 * again. No part of the product.
 */
@NullMarked
package io.postbox.testkit;

import org.jspecify.annotations.NullMarked;
