package io.postbox.it.inboxevents;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class InboxEventsTests {
  private static final Optional<String> TYPE = Optional.of("OrderPlaced");

  private final String service = TestApplication.of(getClass()).service();

  @Inject InboxGuard guard;
  @Inject Desk desk;
  @Inject Seen seen;
  @Inject Observers observers;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(it.test(), it.service(), Archives.settings(it));
  }

  @Test
  void eachThingThatBecomesOfAMessageIsAnEventInItsOrder() {
    InboxRequest good = request("all");
    InboxRequest bad = request("all");

    guard.handle(good, () -> "done");
    guard.handle(good, () -> "done");
    guard.handle(good.text("other"), () -> "done");
    reject(bad);
    guard.handle(bad, () -> "done");

    for (String observer : List.of("async", "web")) {
      eventually(() -> assertThat(seen.of(observer, "all")).hasSize(5));
      List<MessageEvent> events = seen.of(observer, "all");
      assertThat(events.get(0)).isEqualTo(new MessageProcessed("all", id(good), TYPE, 1));
      assertThat(events.get(1)).isEqualTo(new MessageSkipped("all", id(good), TYPE, Why.DUPLICATE));
      assertThat(events.get(2))
          .isInstanceOfSatisfying(
              MessageQuarantined.class, it -> assertThat(it.reason()).isEqualTo("OTHER_CONTENT"));
      assertThat(events.get(3))
          .isInstanceOfSatisfying(
              MessageFailed.class, it -> assertThat(it.messageId()).contains(id(bad)));
      assertThat(events.get(4))
          .isInstanceOfSatisfying(
              MessageParked.class, it -> assertThat(it.error()).contains("unknown currency"));
    }
  }

  @Test
  void anObserverThatThrowsSeesEachEventAndTheDeliveriesGoOn() {
    for (int i = 0; i < 10; i++) {
      guard.handle(request("throwing"), () -> "done");
    }

    eventually(
        () -> {
          assertThat(seen.of("throwing", "throwing")).hasSize(10);
          assertThat(seen.of("async", "throwing")).as("the asynchronous observer").hasSize(10);
        });
    assertThat(Log.ofServer().lines("IBX0085", "the observer of " + service + " always fails"))
        .as("logged once a minute at most")
        .hasSizeBetween(1, 2);
  }

  @Test
  void anObserverThatWaitsKeepsNoDeliveryWaiting() {
    for (int i = 0; i < 10; i++) {
      guard.handle(request("slow"), () -> "done");
    }
    assertThat(seen.by("slow")).as("the observer still waits").isEmpty();

    observers.goOn();
    eventually(() -> assertThat(seen.by("slow")).hasSize(10));
  }

  @Test
  void anObserverFindsTheApplicationsNamesAndItsContainer() {
    guard.handle(request("naming"), () -> "done");

    eventually(() -> assertThat(seen.of("in " + service, "naming")).hasSize(1));
  }

  @Test
  void metricHealthAndStatisticsShowAParkedMessageOnceItIsCommitted() {
    InboxRequest bad = request("gauge");
    reject(bad);

    assertThat(desk.parkedBeforeTheCommit(bad)).isZero();

    assertThat(desk.parked("gauge")).isOne();
    int port = Integer.parseInt(Names.variable("http.port"));
    eventually(
        () ->
            assertThat(
                    Endpoint.value(
                        Endpoint.metrics(port),
                        "postbox_inbox_parked",
                        "service=\"" + service + "\"",
                        "consumer=\"gauge\""))
                .isEqualTo(1));
    HttpResponse<String> ready = Endpoint.get(port, "/health/ready");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body())
        .containsPattern("\"parked\":[1-9]")
        .containsPattern("\"quarantined\":[0-9]");
  }

  private void reject(InboxRequest request) {
    assertThatThrownBy(
            () ->
                guard.handle(
                    request,
                    () -> {
                      throw new RejectedMessageException("unknown currency");
                    }))
        .isInstanceOf(RejectedMessageException.class);
  }

  private static InboxRequest request(String consumer) {
    return InboxRequest.of(consumer, UUID.randomUUID().toString()).event("OrderPlaced").text("x");
  }

  private static String id(InboxRequest request) {
    return request.id().orElseThrow();
  }
}
