/** The guarantee check: from what the server and the database tell to what could break. */
@NullMarked
package io.postbox.inbox.check;

import org.jspecify.annotations.NullMarked;
