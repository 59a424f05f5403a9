/** The handler's context: keys, answers, outside effects; and messages without JMS. */
@NullMarked
package io.postbox.it.context;

import org.jspecify.annotations.NullMarked;
