/**
 * PostgreSQL and an Artemis broker instead of the server's own messaging: the broker is killed,
 * frozen, full, or refuses, while the relay works.
 */
@NullMarked
package io.postbox.it.artemis;

import org.jspecify.annotations.NullMarked;
