/** An application that is undeployed leaves nothing behind in the server. */
@NullMarked
package io.postbox.it.undeploy;

import org.jspecify.annotations.NullMarked;
