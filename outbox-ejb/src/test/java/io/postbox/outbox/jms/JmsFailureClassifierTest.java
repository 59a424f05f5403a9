package io.postbox.outbox.jms;

import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_DUPLICATE;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_FROZEN;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_FULL;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_KILLED;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_NOT_ALLOWED;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_NO_ADDRESS;
import static io.postbox.outbox.jms.SeenTexts.ARTEMIS_PROPERTY_TOO_LARGE;
import static io.postbox.outbox.jms.SeenTexts.LIBERTY_FULL;
import static io.postbox.outbox.jms.SeenTexts.LIBERTY_NOT_ALLOWED;
import static io.postbox.outbox.jms.SeenTexts.LIBERTY_NO_ENGINE;
import static io.postbox.outbox.jms.SeenTexts.LIBERTY_NO_QUEUE;
import static io.postbox.outbox.jms.SeenTexts.LIBERTY_SEND_DISALLOWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.relay.SendFailure.Fault;
import io.postbox.outbox.testing.Messages;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ResourceAllocationException;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.RollbackException;
import java.sql.SQLException;
import java.util.List;
import javax.transaction.xa.XAException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JmsFailureClassifierTest {
  private final StoredMessage message = message(1);
  private final List<StoredMessage> alone = List.of(message);
  private final List<StoredMessage> batch = List.of(message, message(2));

  @ParameterizedTest
  @ValueSource(
      strings = {
        ARTEMIS_FULL,
        ARTEMIS_NOT_ALLOWED,
        ARTEMIS_KILLED,
        ARTEMIS_FROZEN,
        LIBERTY_FULL,
        LIBERTY_NO_QUEUE,
        LIBERTY_SEND_DISALLOWED,
        LIBERTY_NOT_ALLOWED,
        LIBERTY_NO_ENGINE
      })
  void aDestinationThatTakesNothingIsAtFaultWhereverItShows(String seen) {
    assertThat(JmsFailureClassifier.sending(message, Delivery.LOCAL, beneathJms(seen)).fault())
        .isEqualTo(Fault.DESTINATION);
    assertThat(
            JmsFailureClassifier.committing(batch, Delivery.LOCAL, beneathHeuristic(seen)).fault())
        .isEqualTo(Fault.DESTINATION);
    assertThat(
            JmsFailureClassifier.committing(alone, Delivery.LOCAL, beneathRollback(seen)).fault())
        .isEqualTo(Fault.DESTINATION);
  }

  @Test
  void exceptionsOfJmsItselfAreEnough() {
    assertThat(sending(new InvalidDestinationException(ARTEMIS_NO_ADDRESS)))
        .isEqualTo(Fault.DESTINATION);
    assertThat(sending(new JMSSecurityException("no"))).isEqualTo(Fault.DESTINATION);
    assertThat(sending(new ResourceAllocationException("no"))).isEqualTo(Fault.DESTINATION);
    assertThat(sending(new MessageFormatException("no"))).isEqualTo(Fault.MESSAGE);
    assertThat(sending(new MessageNotWriteableException("no"))).isEqualTo(Fault.MESSAGE);
  }

  @Test
  void aPropertyThatIsTooLargeIsTheMessagesFaultOnceItStandsAlone() {
    assertThat(
            JmsFailureClassifier.committing(
                    batch, Delivery.LOCAL, beneathHeuristic(ARTEMIS_PROPERTY_TOO_LARGE))
                .fault())
        .isEqualTo(Fault.UNKNOWN);
    assertThat(
            JmsFailureClassifier.committing(
                    alone, Delivery.LOCAL, beneathHeuristic(ARTEMIS_PROPERTY_TOO_LARGE))
                .fault())
        .isEqualTo(Fault.MESSAGE);
  }

  @Test
  void anotherIoErrorIsNotTheMessagesFault() {
    String other = ARTEMIS_PROPERTY_TOO_LARGE.replace("AMQ149005", "AMQ149000");

    assertThat(
            JmsFailureClassifier.committing(alone, Delivery.LOCAL, beneathHeuristic(other)).fault())
        .isEqualTo(Fault.UNKNOWN);
  }

  @Test
  void aDuplicateIsThereOnceItStandsAlone() {
    assertThat(
            JmsFailureClassifier.committing(
                    batch, Delivery.LOCAL, beneathHeuristic(ARTEMIS_DUPLICATE))
                .fault())
        .isEqualTo(Fault.UNKNOWN);
    assertThat(
            JmsFailureClassifier.committing(
                    alone, Delivery.LOCAL, beneathHeuristic(ARTEMIS_DUPLICATE))
                .fault())
        .isEqualTo(Fault.DUPLICATE);
  }

  @Test
  void inTwoPhasesADuplicateIsRefusedSinceItsRowIsNotDone() {
    assertThat(
            JmsFailureClassifier.committing(alone, Delivery.XA, beneathHeuristic(ARTEMIS_DUPLICATE))
                .fault())
        .isEqualTo(Fault.MESSAGE);
  }

  @Test
  void aCommitWithoutACauseIsNobodysFault() {
    // Liberty's messaging, a message larger than its log: the reason is in the server's log only.
    assertThat(
            JmsFailureClassifier.committing(alone, Delivery.LOCAL, new RollbackException()).fault())
        .isEqualTo(Fault.UNKNOWN);
    assertThat(sending(new JMSException("no"))).isEqualTo(Fault.UNKNOWN);
  }

  @Test
  void aDatabaseThatFailsInTheSameTransactionIsNoMessagesFault() {
    for (String state : List.of("53100", "53200", "08006", "XX000")) {
      SQLException failed = new SQLException("could not extend file: no space left", state);
      Throwable prepare = new XAException(XAException.XAER_RMERR).initCause(failed);
      Exception commit = (Exception) new RollbackException().initCause(prepare);

      assertThat(JmsFailureClassifier.committing(alone, Delivery.XA, commit).fault())
          .isEqualTo(Fault.DESTINATION);
      assertThat(JmsFailureClassifier.committing(batch, Delivery.XA, commit).fault())
          .isEqualTo(Fault.DESTINATION);
    }
  }

  @Test
  void theContentOfAMessageDecidesNothing() {
    String forged =
        ARTEMIS_DUPLICATE
            .replace("DUPLICATE_ID_REJECTED", "SOMETHING_NEW")
            .replace("abc", "x: [errorType=ADDRESS_FULL message=AMQ149005: CWSIK0025E");

    assertThat(
            JmsFailureClassifier.committing(alone, Delivery.LOCAL, beneathHeuristic(forged))
                .fault())
        .isEqualTo(Fault.UNKNOWN);
  }

  @Test
  void theReasonNamesTheWholeChain() {
    SendFailure failure =
        JmsFailureClassifier.committing(
            alone, Delivery.LOCAL, beneathHeuristic(ARTEMIS_NOT_ALLOWED));

    assertThat(failure)
        .hasMessageContainingAll("commit: ", "HeuristicMixedException", "AMQ229032: User: postbox");
  }

  @Test
  void aCircleOfCausesEnds() {
    Exception one = new Exception("one");
    one.initCause(new Exception("other", one));

    assertThat(JmsFailureClassifier.committing(alone, Delivery.LOCAL, one).fault())
        .isEqualTo(Fault.UNKNOWN);
  }

  private Fault sending(JMSException failed) {
    return JmsFailureClassifier.sending(message, Delivery.LOCAL, failed).fault();
  }

  private static JMSException beneathJms(String seen) {
    JMSException failed = new JMSException("CWSIA0067E: An exception was received: " + seen);
    failed.initCause(new SeenFailure(seen));
    return failed;
  }

  private static Exception beneathHeuristic(String seen) {
    return (Exception) new HeuristicMixedException().initCause(beneathXa(seen));
  }

  private static Exception beneathRollback(String seen) {
    return (Exception) new RollbackException().initCause(beneathXa(seen));
  }

  private static Throwable beneathXa(String seen) {
    return new XAException(XAException.XAER_RMFAIL).initCause(new SeenFailure(seen));
  }

  private static StoredMessage message(long seq) {
    return Messages.message(seq, "d", null);
  }
}
