/**
 * The console: a WAR that an application packs into its EAR to show and manage the messages of its
 * outbox and its inbox. Its REST API is below {@code /api}; there is no Java API.
 */
@NullMarked
package io.postbox.console;

import org.jspecify.annotations.NullMarked;
