package io.postbox.it.order;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** Fewer, because every transaction is written through to the file. */
@Tag("full")
@OnH2
class OrderOnH2IT extends OrderTests {
  OrderOnH2IT() {
    super(15, 20);
  }
}
