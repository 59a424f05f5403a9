package io.postbox.it.order;

import io.postbox.it.tools.OnPostgres;

/** A thousand versions of fifty aggregates. */
@OnPostgres
class OrderOnPostgresIT extends OrderTests {
  OrderOnPostgresIT() {
    super(50, 20);
  }
}
