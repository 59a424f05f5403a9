/**
 * A server in a process of its own, with ports, data and logs of its own: started, killed, frozen,
 * stopped, asked through its MBeans, and changed by Byteman's rules.
 */
@NullMarked
package io.postbox.testkit.server;

import org.jspecify.annotations.NullMarked;
