/** A shop with two beans: one enqueues, the other handles. */
package shop;
