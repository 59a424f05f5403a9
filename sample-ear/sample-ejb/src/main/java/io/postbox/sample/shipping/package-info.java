/** The warehouse: its stock, and the shipment of each order. */
@NullMarked
package io.postbox.sample.shipping;

import org.jspecify.annotations.NullMarked;
