/** The guarantee check: derives risks from the settings of the server and the database. */
@NullMarked
package io.postbox.inbox.check;

import org.jspecify.annotations.NullMarked;
