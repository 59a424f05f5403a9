/** Resources that cannot be idempotent. */
@NullMarked
package io.postbox.it.http.refused;

import org.jspecify.annotations.NullMarked;
