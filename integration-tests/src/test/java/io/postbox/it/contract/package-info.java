/** What a message looks like on the wire. */
package io.postbox.it.contract;
