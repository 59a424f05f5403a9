package io.postbox.sample.shipping;

/**
 * How much of an article there is.
 *
 * @param sku the article
 * @param quantity how many pieces
 */
public record StockLevel(String sku, long quantity) {}
