/** Folders, and disks so small that a test can fill them. */
@NullMarked
package io.postbox.testkit.disk;

import org.jspecify.annotations.NullMarked;
