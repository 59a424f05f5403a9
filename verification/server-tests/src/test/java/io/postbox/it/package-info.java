/**
 * Postbox in the real server: Arquillian starts Open Liberty once, and each test class deploys an
 * application of its own, with tables, service name and queues of its own. Most tests run within
 * the server.
 */
@NullMarked
package io.postbox.it;

import org.jspecify.annotations.NullMarked;
