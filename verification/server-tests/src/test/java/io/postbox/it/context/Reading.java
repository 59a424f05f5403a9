package io.postbox.it.context;

/** The handler's reading of a payload: less than its sender writes. */
public record Reading(String sku, int quantity) {}
