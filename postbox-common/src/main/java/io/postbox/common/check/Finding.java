package io.postbox.common.check;

/**
 * A setting with which the promise could be broken.
 *
 * @param name stable, for health data and the runbook
 * @param text what could happen, and what to set
 */
public record Finding(String name, String text) {}
