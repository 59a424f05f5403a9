/**
 * The guarantee check: pure rules that derive from the settings of database and server which of
 * them could break the guarantee. Other packages read the settings.
 */
@NullMarked
package io.postbox.outbox.check;

import org.jspecify.annotations.NullMarked;
