/**
 * One situation for each class: a database that goes away, a server that stops in order, a message
 * that kills its server, two servers with one set of tables, an application that is taken out under
 * load.
 */
@NullMarked
package io.postbox.crash.scenario;

import org.jspecify.annotations.NullMarked;
