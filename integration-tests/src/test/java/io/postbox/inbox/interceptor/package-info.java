/** What is tried in the real server of a part of the inbox that nobody outside of it sees. */
@NullMarked
package io.postbox.inbox.interceptor;

import org.jspecify.annotations.NullMarked;
