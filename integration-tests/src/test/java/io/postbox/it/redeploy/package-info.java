/** What an application leaves behind in the server when it is deployed again and again: nothing. */
@NullMarked
package io.postbox.it.redeploy;

import org.jspecify.annotations.NullMarked;
