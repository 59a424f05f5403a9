package io.postbox.testkit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.sample.Sample.Totals;
import org.junit.jupiter.api.Test;

class TotalsTest {
  private static Totals of(long orders, long shipments, long shippedOrders) {
    return billed(orders, shipments, shippedOrders, shipments);
  }

  private static Totals billed(long orders, long shipments, long shippedOrders, long invoices) {
    return new Totals(orders, shipments, shippedOrders, invoices, 0, 0, 0, 0, 0, 0);
  }

  private static Totals quarantined(long quarantined) {
    return new Totals(3, 3, 3, 3, 0, 0, 0, 0, 0, quarantined);
  }

  @Test
  void aShipmentAndTheAnswerToItAndItsInvoiceAreEachAStepForward() {
    assertThat(of(3, 0, 0).done()).isLessThan(of(3, 1, 0).done());
    assertThat(of(3, 1, 0).done()).isLessThan(of(3, 1, 1).done());
    assertThat(billed(3, 1, 1, 0).done()).isLessThan(billed(3, 1, 1, 1).done());
  }

  /** Otherwise a wait for as long as something goes forward would never end. */
  @Test
  void shipmentsThatNeverEndAreNone() {
    assertThat(of(3, 4, 3).done()).isEqualTo(of(3, 40, 3).done());
  }

  @Test
  void anOrderThatIsMissingOrWasShippedTwiceOrIsKeptAsideIsWrong() {
    assertThat(of(3, 3, 3).wrong(3, 0)).isFalse();
    assertThat(of(3, 3, 3).wrong(4, 0)).isTrue();
    assertThat(of(3, 4, 3).wrong(3, 0)).isTrue();
    assertThat(of(3, 2, 3).wrong(3, 0)).isTrue();
    assertThat(billed(3, 3, 3, 2).wrong(3, 0)).isTrue();
    assertThat(billed(3, 3, 3, 4).wrong(3, 0)).isTrue();
    assertThat(new Totals(3, 3, 3, 3, 0, 0, 0, 1, 0, 0).wrong(3, 0)).isTrue();
    assertThat(quarantined(1).wrong(3, 0)).isTrue();
  }

  @Test
  void totalsWithUnbilledShipmentsAreNotAtRest() {
    assertThat(billed(3, 3, 3, 2).atRest()).isFalse();
    assertThat(billed(3, 3, 3, 3).atRest()).isTrue();
  }

  @Test
  void aCapturedMessageAndARetryThatIsNotDueAreStillOnTheirWay() {
    assertThat(of(3, 3, 3).isInboxAtRest()).isTrue();
    assertThat(new Totals(3, 3, 3, 3, 1, 0, 0, 0, 0, 0).isInboxAtRest()).isFalse();
    assertThat(new Totals(3, 3, 3, 3, 0, 1, 0, 0, 0, 0).isInboxAtRest()).isFalse();
  }

  /** One without an id is kept aside again when a server is killed before it acknowledged it. */
  @Test
  void ofOneHostileMessageThereMayBeTwoCopiesAside() {
    assertThat(quarantined(2).wrong(3, 1)).isFalse();
  }
}
