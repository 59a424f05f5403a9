/** What an application leaves behind in the server when it goes: nothing. */
@NullMarked
package io.postbox.it.undeploy;

import org.jspecify.annotations.NullMarked;
