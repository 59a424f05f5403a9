package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static io.postbox.outbox.testing.Messages.unordered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.testing.LogLines;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSenderTest {
  private final FakeBroker broker = new FakeBroker();

  private SendReport send(List<StoredMessage> batch) {
    return BatchSender.send(batch, broker);
  }

  private static List<Long> seqs(SendReport report) {
    return report.sent().stream().map(StoredMessage::seq).sorted().toList();
  }

  private static List<Long> rejected(SendReport report) {
    return report.rejected().keySet().stream().map(StoredMessage::seq).sorted().toList();
  }

  @Test
  void aGoodBatchIsOneCallInOrder() {
    SendReport report = send(unordered(100, "d"));

    assertThat(broker.calls()).isEqualTo(1);
    assertThat(broker.received()).isEqualTo(unordered(100, "d"));
    assertThat(report.sent()).isEqualTo(unordered(100, "d"));
    assertThat(report.rejected()).isEmpty();
    assertThat(report.destinationFault()).isEmpty();
  }

  @Test
  void anEmptyBatchIsNoCall() {
    assertThat(send(List.of()).sent()).isEmpty();
    assertThat(broker.calls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 50, 99, 100})
  void aMessageThatIsRejectedByNameCostsOneCallMore(long poison) {
    broker.rejects.add(poison);
    SendReport report = send(unordered(100, "d"));

    assertThat(rejected(report)).containsExactly(poison);
    assertThat(report.rejected().values()).extracting(RecordedError::text).contains("rejected");
    assertThat(report.sent()).hasSize(99);
    assertThat(report.destinationFault()).isEmpty();
    assertThat(broker.calls()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 50, 99, 100})
  void aMessageThatSpoilsItsBatchIsFoundByDividing(long poison) {
    broker.spoil.add(poison);
    SendReport report = send(unordered(100, "d"));

    assertThat(rejected(report)).containsExactly(poison);
    assertThat(report.sent()).hasSize(99).doesNotHaveDuplicates();
    assertThat(report.destinationFault()).isEmpty();
    assertThat(broker.calls()).as("about 2 log2(100)").isLessThanOrEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 25, 50})
  void aMessageThatTheBrokerHasIsDoneWithoutBeingSentAgain(long there) {
    broker.has.add(there);
    SendReport report = send(unordered(50, "d"));

    assertThat(report.sent()).containsExactlyInAnyOrderElementsOf(unordered(50, "d"));
    assertThat(broker.received()).hasSize(49).doesNotContain(message(there, "d", null));
    assertThat(report.rejected()).isEmpty();
    assertThat(report.suspects()).isEmpty();
    assertThat(broker.calls()).as("about 2 log2(50)").isLessThanOrEqualTo(13);
  }

  @Test
  void eachMessageThatTheBrokerHasIsLogged() {
    broker.has.addAll(Set.of(2L, 3L));
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      send(unordered(4, "d"));

      assertThat(lines.lines())
          .hasSize(2)
          .allMatch(line -> line.startsWith("OBX0070 ") && line.contains("counts as sent"))
          .anyMatch(line -> line.contains(message(2, "d", null).envelope().id() + " to 'd'"));
    }
  }

  @Test
  void aBatchThatTheBrokerHasIsDone() {
    unordered(100, "d").forEach(message -> broker.has.add(message.seq()));
    SendReport report = send(unordered(100, "d"));

    assertThat(report.sent()).hasSize(100);
    assertThat(report.destinationFault()).isEmpty();
    assertThat(broker.received()).isEmpty();
  }

  @Test
  void followersOfAMessageThatTheBrokerHasAreSentInOrder() {
    broker.has.add(2L);
    List<StoredMessage> batch =
        List.of(message(1, "d", "k"), message(2, "d", "k"), message(3, "d", "k"));

    assertThat(seqs(send(batch))).containsExactly(1L, 2L, 3L);
    assertThat(broker.receivedSeqs()).containsExactly(1L, 3L);
  }

  @Test
  void twoThatSpoilTheirBatchAreBothFound() {
    for (long one = 1; one <= 20; one++) {
      for (long other = one + 1; other <= 20; other++) {
        FakeBroker fresh = new FakeBroker();
        fresh.spoil.addAll(Set.of(one, other));
        SendReport report = BatchSender.send(unordered(20, "d"), fresh);

        assertThat(rejected(report)).containsExactly(one, other);
        assertThat(report.sent()).hasSize(18);
        assertThat(report.destinationFault()).isEmpty();
      }
    }
  }

  @Test
  void aDestinationAtFaultIsOneCall() {
    broker.down = true;
    SendReport report = send(unordered(100, "d"));

    assertThat(broker.calls()).isEqualTo(1);
    assertThat(report.sent()).isEmpty();
    assertThat(report.rejected()).isEmpty();
    assertThat(report.destinationFault()).contains("down");
  }

  @Test
  void whereNoTimeIsLeftToFindOutTheDestinationIsAtFaultAndNoMessage() {
    broker.spoil.add(1L);
    SendReport report =
        BatchSender.send(
            unordered(100, "d"),
            new TransportSession() {
              @Override
              public void send(List<StoredMessage> messages) throws SendFailure {
                broker.send(messages);
              }

              @Override
              public boolean hasTime() {
                return broker.calls() < 2;
              }
            });

    assertThat(broker.calls()).isEqualTo(2);
    assertThat(report)
        .isEqualTo(new SendReport(List.of(), Map.of(), Map.of(), Optional.of("commit failed")));
  }

  @Test
  void whenTimeIsUpAfterAPartTheRestStaysAsItIs() {
    broker.spoil.add(100L);
    SendReport report =
        BatchSender.send(
            unordered(100, "d"),
            new TransportSession() {
              @Override
              public void send(List<StoredMessage> messages) throws SendFailure {
                broker.send(messages);
              }

              @Override
              public boolean hasTime() {
                return broker.calls() < 3;
              }
            });

    assertThat(seqs(report)).hasSize(50);
    assertThat(report.destinationFault()).isEmpty();
    assertThat(report.rejected()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 100, 1_000, 10_000})
  void aDestinationWhereNothingGetsThroughIsFaultyAfterFewCalls(int messages) {
    broker.brokenDestinations.add("d");
    SendReport report = send(unordered(messages, "d"));

    assertThat(report.destinationFault().isPresent())
        .as("enough of them are the destination's fault; fewer leave it open")
        .isEqualTo(messages >= 3);
    assertThat(report.suspects()).hasSize(Math.min(messages, 3));
    assertThat(report.rejected()).as("no attempt is counted").isEmpty();
    assertThat(report.sent()).isEmpty();
    int doublings = 32 - Integer.numberOfLeadingZeros(messages);
    assertThat(broker.calls()).isLessThanOrEqualTo(2 * doublings + 4);
  }

  @Test
  void oneMessageAloneThatFailsWithoutAReasonIsASuspect() {
    broker.spoil.add(1L);
    SendReport report = send(unordered(1, "d"));

    assertThat(report.suspects()).hasSize(1);
    assertThat(report.destinationFault()).isEmpty();
    assertThat(report.rejected()).isEmpty();
  }

  @Test
  void aFollowerIsNotSentAfterItsFailedHead() {
    broker.rejects.add(2L);
    SendReport report =
        send(
            List.of(
                message(1, "d", "k"),
                message(2, "d", "k"),
                message(3, "d", "k"),
                message(4, "d", "other"),
                message(5, "d", null)));

    assertThat(seqs(report)).containsExactly(1L, 4L, 5L);
    assertThat(rejected(report)).containsExactly(2L);
    assertThat(report.destinationFault()).isEmpty();
  }

  @Test
  void theEarlierOfTwoFailedMessagesOfAKeyIsTheOneThatCounts() {
    broker.spoil.add(1L); // found later than the second, which the broker names
    broker.rejects.add(2L);
    SendReport report =
        send(List.of(message(1, "d", "k"), message(2, "d", "k"), message(3, "d", null)));

    assertThat(rejected(report)).containsExactly(1L);
    assertThat(seqs(report)).containsExactly(3L);
  }

  @Test
  void aFollowerIsNotSentAfterAHeadThatSpoilsItsBatch() {
    broker.spoil.add(1L);
    SendReport report =
        send(
            List.of(
                message(1, "d", "k"),
                message(2, "d", "other"),
                message(3, "d", "k"),
                message(4, "d", "k")));

    assertThat(seqs(report)).containsExactly(2L);
    assertThat(rejected(report)).containsExactly(1L);
  }

  @Test
  void theHeadOfAKeyThatFailsWithoutAReasonIsASuspectAndNothingOvertakesIt() {
    broker.spoil.add(1L);
    SendReport report = send(List.of(message(1, "d", "k"), message(2, "d", "k")));

    assertThat(report.sent()).isEmpty();
    assertThat(report.rejected()).isEmpty();
    assertThat(report.destinationFault()).isEmpty();
    assertThat(report.suspects().keySet()).extracting(StoredMessage::seq).containsExactly(1L);
  }

  @Test
  void manyRejectedMessagesAreNoDeeperThanFew() {
    for (long seq = 1; seq <= 10_000; seq++) {
      broker.rejects.add(seq);
    }
    SendReport report = send(unordered(10_000, "d")); // the largest batch-size

    assertThat(report.rejected()).hasSize(10_000);
    assertThat(broker.calls()).isEqualTo(10_000);
  }

  @Test
  void anExceptionThatIsNoSendFailureComesOut() {
    assertThatThrownBy(
            () ->
                BatchSender.send(
                    unordered(2, "d"),
                    messages -> {
                      throw new IllegalStateException("no thread");
                    }))
        .hasMessage("no thread");
  }

  /** Else it would hold its key, and the one before it would wait for it. */
  @Test
  void nobodyIsAtFaultBehindOneOfItsKeyThatCouldNotBeTried() {
    broker.rejects.add(2L);
    SendReport report =
        BatchSender.send(
            List.of(message(1, "d", "k"), message(2, "d", "k")),
            messages -> {
              try {
                broker.send(messages);
              } finally {
                broker.down = true;
              }
            });

    assertThat(broker.calls()).isEqualTo(2);
    assertThat(report.destinationFault()).contains("down");
    assertThat(report.rejected()).isEmpty();
  }
}
