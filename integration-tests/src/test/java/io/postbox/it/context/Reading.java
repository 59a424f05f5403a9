package io.postbox.it.context;

/** What the handler knows of a payload: less than its sender writes. */
public record Reading(String sku, int quantity) {}
