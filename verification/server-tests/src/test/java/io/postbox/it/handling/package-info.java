/** The inbox: failing handlers, duplicates, deliveries that are kept aside. */
@NullMarked
package io.postbox.it.handling;

import org.jspecify.annotations.NullMarked;
