/**
 * The databases of such servers, H2 within a server and PostgreSQL beside them, and the SQL that
 * reads their tables past the product.
 */
@NullMarked
package io.postbox.testkit.database;

import org.jspecify.annotations.NullMarked;
