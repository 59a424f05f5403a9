package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.crash.Sample.Totals;
import org.junit.jupiter.api.Test;

class TotalsTest {
  private static Totals of(long orders, long shipments, long shippedOrders) {
    return new Totals(orders, shipments, shippedOrders, 0, 0, 0, 0);
  }

  @Test
  void aShipmentAndTheAnswerToItAreBothAStepForward() {
    assertThat(of(3, 0, 0).done()).isLessThan(of(3, 1, 0).done());
    assertThat(of(3, 1, 0).done()).isLessThan(of(3, 1, 1).done());
  }

  /** Or whoever waits as long as something goes forward would wait for ever. */
  @Test
  void shipmentsThatNeverEndAreNone() {
    assertThat(of(3, 4, 3).done()).isEqualTo(of(3, 40, 3).done());
  }
}
