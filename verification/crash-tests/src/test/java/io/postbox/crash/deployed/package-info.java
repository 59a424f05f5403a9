/** Classes that run within the servers, beside the sample or in the place of one of its own. */
@NullMarked
package io.postbox.crash.deployed;

import org.jspecify.annotations.NullMarked;
