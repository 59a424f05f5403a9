package io.postbox.common.check;

/**
 * A setting with which the promise could be broken.
 *
 * @param name stable, for health data and the runbook
 * @param text the possible harm, and the setting that prevents it
 */
public record Finding(String name, String text) {}
