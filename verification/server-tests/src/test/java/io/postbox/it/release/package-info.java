/** The published parts: names, versions, licences, and an API that does not break unnoticed. */
@NullMarked
package io.postbox.it.release;

import org.jspecify.annotations.NullMarked;
