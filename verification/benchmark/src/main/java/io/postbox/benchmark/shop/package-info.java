/**
 * The third application that is measured: the business of the sample by plain JDBC and JMS, in one
 * JTA transaction at each step, without outbox and inbox.
 */
@NullMarked
package io.postbox.benchmark.shop;

import org.jspecify.annotations.NullMarked;
