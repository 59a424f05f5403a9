/** The parts that Artemis' resource adapter lacks to be one of Open Liberty's. */
@NullMarked
package io.postbox.artemis;

import org.jspecify.annotations.NullMarked;
