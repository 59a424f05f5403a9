package io.postbox.inbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.log.RecordedError;
import io.postbox.common.log.SharedLog;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.TestDelivery;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that the inbox can say, said once. */
class LogCatalogueTest {
  private static final String ID = "m-1";
  private static final Delivery DELIVERY = TestDelivery.of(ID).delivery();

  /** A sample of each type, and the texts that its line has to contain. */
  private static final Map<Class<?>, Sample> SAMPLES =
      Map.ofEntries(
          entry(String.class, "a text", "a text"),
          entry(int.class, 1_001, "1001"),
          entry(long.class, 1_002L, "1002"),
          entry(boolean.class, true, "stores"), // of a consumer that captures
          entry(Duration.class, Duration.ofSeconds(7), "7"),
          entry(Instant.class, Instant.EPOCH, "1970-01-01T00:00:00Z"),
          entry(Collection.class, List.of("one", "other"), "one", "other"),
          entry(
              WatchLog.Counted.class,
              WatchLog.Counted.AGGREGATES,
              "aggregates that wait for a version"),
          entry(Throwable.class, new IllegalStateException("a reason"), "a reason"),
          entry(
              OperatorAction.class,
              new OperatorAction(
                  new UUID(0, 7),
                  "redrive",
                  OperatorAction.State.FAILED,
                  "ada",
                  "why",
                  "some messages",
                  3,
                  2,
                  1,
                  "a note",
                  Instant.EPOCH,
                  Instant.EPOCH),
              "some messages"),
          entry(Optional.class, Optional.of(new UUID(0, 8)), new UUID(0, 8).toString()),
          entry(Delivery.class, DELIVERY, ID, "shipping"),
          entry(
              MessageEvent.class,
              new MessageProcessed("shipping", ID, Optional.empty(), 1),
              "shipping",
              "MessageProcessed"),
          entry(
              ReplyRefused.class,
              new ReplyRefused(
                  "shipping",
                  ID,
                  Optional.empty(),
                  Optional.of("queue:STOCK"),
                  ReplyRefused.Why.NOT_ALLOWED),
              "shipping",
              ID,
              "queue:STOCK",
              "postbox.inbox.consumer.shipping.reply-to"),
          entry(
              Quarantined.class,
              new Quarantined(DELIVERY, ID, QuarantineReason.BLANK_ID, TestDelivery.FINGERPRINT),
              ID,
              "shipping",
              QuarantineReason.BLANK_ID.text(),
              TestDelivery.FINGERPRINT.sha256()),
          entry(
              Parked.class,
              new Parked(DELIVERY, ID, ParkReason.REJECTED, "an error", "5ef0", 1_003),
              ID,
              "shipping",
              ParkReason.REJECTED.text(),
              "an error",
              "1003"),
          entry(
              Failure.class,
              new Failure(
                  "shipping",
                  ID,
                  1_004,
                  Failure.Kind.REJECTED,
                  null,
                  RecordedError.of("an error"),
                  0,
                  false),
              ID,
              "shipping",
              "1004",
              "REJECTED",
              "an error"));

  private record Sample(Object value, String... told) {}

  private static Map.Entry<Class<?>, Sample> entry(Class<?> type, Object value, String... told) {
    return Map.entry(type, new Sample(value, told));
  }

  static List<Method> sayings() {
    return Stream.of(InboxLog.class, WatchLog.class, RequestLog.class, SharedLog.class)
        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == void.class)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("sayings")
  void itIsOneLineThatLeavesNothingOut(Method saying) throws ReflectiveOperationException {
    List<String> lines = say(saying);

    assertThat(lines)
        .singleElement()
        .asString()
        .matches("IBX\\d{4} .+")
        .as("the outbox's words")
        .doesNotContain("enqueue", "the relay", "relayed", "next poll");
    assertThat(saying.getParameterTypes())
        .allSatisfy(type -> assertThat(lines.get(0)).contains(SAMPLES.get(type).told()));
  }

  @Test
  void noTwoHaveOneId() throws ReflectiveOperationException {
    List<String> ids = new ArrayList<>();
    for (Method saying : sayings()) {
      ids.add(say(saying).get(0).substring(0, 7));
    }

    assertThat(ids).hasSizeGreaterThan(30).doesNotHaveDuplicates();
  }

  private static List<String> say(Method saying) throws ReflectiveOperationException {
    try (LogLines lines = new LogLines()) {
      saying.invoke(
          InboxLog.SHARED,
          Stream.of(saying.getParameterTypes()).map(type -> SAMPLES.get(type).value()).toArray());
      return lines.all();
    }
  }
}
