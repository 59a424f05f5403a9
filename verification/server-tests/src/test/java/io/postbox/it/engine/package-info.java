/**
 * Messages that their handler cannot handle, that come too early, and that are meant to hurt: in
 * the delivery's transaction and in one of the inbox's own, on H2 and PostgreSQL.
 */
@NullMarked
package io.postbox.it.engine;

import org.jspecify.annotations.NullMarked;
