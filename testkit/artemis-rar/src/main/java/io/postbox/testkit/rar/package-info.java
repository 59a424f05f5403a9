/** What Artemis' resource adapter lacks to be one of Open Liberty's. */
@NullMarked
package io.postbox.testkit.rar;

import org.jspecify.annotations.NullMarked;
