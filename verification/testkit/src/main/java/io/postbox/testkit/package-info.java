/**
 * The tools that tests and measurements share; no part of the product. Here: an Artemis broker that
 * can be killed, frozen and started again, ports that nobody else takes, and the draw of a tenth of
 * the slow test classes.
 *
 * <p>The packages depend on each other in one direction: {@code sample} on {@code database}, that
 * on {@code server}, these on this one, and all on {@code disk} and {@code model}, which depend on
 * none.
 */
@NullMarked
package io.postbox.testkit;

import org.jspecify.annotations.NullMarked;
