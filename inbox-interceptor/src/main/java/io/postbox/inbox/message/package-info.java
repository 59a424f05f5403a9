/** What the inbox knows of a delivery, as data that has never heard of JMS or SQL. */
@NullMarked
package io.postbox.inbox.message;

import org.jspecify.annotations.NullMarked;
