/** What rules call in a server: classes in its JVM, beside those of the JDK. */
@NullMarked
package io.postbox.testkit.injected;

import org.jspecify.annotations.NullMarked;
