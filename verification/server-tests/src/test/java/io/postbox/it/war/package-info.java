/** Both jars in the WEB-INF/lib of a plain WAR. */
@NullMarked
package io.postbox.it.war;

import org.jspecify.annotations.NullMarked;
