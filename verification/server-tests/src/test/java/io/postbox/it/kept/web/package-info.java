/** Part of the application's WAR, beside the tests. */
@NullMarked
package io.postbox.it.kept.web;

import org.jspecify.annotations.NullMarked;
