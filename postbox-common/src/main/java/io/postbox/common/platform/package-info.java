/**
 * What differs between application servers, one class for each: facts, names and words of their
 * own. Nothing outside of this package knows a server by name.
 */
@NullMarked
package io.postbox.common.platform;

import org.jspecify.annotations.NullMarked;
