/** The application of the walks: it runs within the server, with outbox, inbox and console. */
@NullMarked
package io.postbox.browser.deployed;

import org.jspecify.annotations.NullMarked;
