/** The accounts: an invoice for each shipped order, written whenever there is time for it. */
@NullMarked
package io.postbox.sample.billing;

import org.jspecify.annotations.NullMarked;
