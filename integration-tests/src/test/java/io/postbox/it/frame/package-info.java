/** What surrounds the server: the database that it uses, and the archives that are deployed. */
package io.postbox.it.frame;
