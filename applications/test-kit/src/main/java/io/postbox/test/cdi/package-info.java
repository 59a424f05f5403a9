/** A CDI container in which enterprise beans are beans with transactions. */
@NullMarked
package io.postbox.test.cdi;

import org.jspecify.annotations.NullMarked;
