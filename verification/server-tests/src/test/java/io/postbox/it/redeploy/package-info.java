/** An application that is deployed again and again leaves nothing behind in the server. */
@NullMarked
package io.postbox.it.redeploy;

import org.jspecify.annotations.NullMarked;
