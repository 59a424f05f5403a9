/** Part of the application's WAR, beside the tests. */
@NullMarked
package io.postbox.it.redeploy.web;

import org.jspecify.annotations.NullMarked;
