package io.postbox.it.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.AuditFilter;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.Page;
import io.postbox.common.Paused;
import io.postbox.common.RedrivePace;
import io.postbox.common.RuntimePolicy;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Eventually;
import io.postbox.it.tools.Names;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureHistory;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife.Event;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.OutboxAudit;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxPolicy.OnDeadLetter;
import io.postbox.outbox.RelayControl;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ArquillianTest
class DeadLettersIT {
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages"
          + " FROM letters_postbox_audit";

  @Inject Operator operator;
  @Inject DeadLetters letters;
  @Inject FailureHistory failures;
  @Inject MessageLookup lookup;
  @Inject OutboxAudit audit;
  @Inject RelayControl relay;
  @Inject OutboxActions actions;
  @Inject OutboxPolicies policies;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(DeadLettersIT.class, "letters", Archives.settings("letters"));
  }

  @BeforeEach
  void nothingIsLeft() {
    for (String table :
        new String[] {
          "outbox_message",
          "outbox_failure",
          "outbox_archive",
          "outbox_switch",
          "outbox_held_key",
          "outbox_policy",
          "outbox_action",
          "postbox_audit"
        }) {
      Database.byDefault().run("DELETE FROM letters_" + table);
    }
  }

  private static UUID deadLetter(String text) {
    UUID id = UUID.randomUUID();
    Database.byDefault()
        .run(
            """
            INSERT INTO letters_outbox_message
              (partition_no, id, destination, content_type, payload_text, headers, status, attempts,
               last_error)
            VALUES (3, ?, 'letters', 'text/plain', ?, '{}', 'DEAD', 10, 'refused')
            """,
            id,
            text);
    return id;
  }

  @Test
  void aLetterRedrivenByAnEnterpriseBeanArrives() throws JMSException {
    UUID id = deadLetter("second try");
    assertThat(operator.find()).extracting(DeadLetter::id).containsExactly(id);
    assertThat(operator.redrive("the queue is back")).isEqualTo(1);

    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("second try");
    assertThat(relay.awaitEmpty("letters", Duration.ofSeconds(20))).isTrue();
    assertThat(Database.byDefault().column(AUDIT))
        .containsExactly("redrive unknown the queue is back 1");
  }

  @Test
  void inTheBackgroundTheOthersFollowOnceTheFirstHasArrived() throws JMSException {
    deadLetter("first");
    deadLetter("second");
    DeadLetterPlan plan = letters.plan(DeadLetterFilter.all().destination("letters"));
    OperatorAction started =
        actions.redrive(plan.token().id(), new RedrivePace(500, 1), "the queue is back");
    assertThat(started.state()).isEqualTo(State.RUNNING);

    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("first");
    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("second");
    Eventually.eventually(
        () ->
            assertThat(actions.get(started.id()))
                .hasValueSatisfying(
                    action ->
                        assertThat(action)
                            .returns(State.DONE, OperatorAction::state)
                            .returns(2L, OperatorAction::done)
                            .returns("unknown", OperatorAction::principal)));
    assertThat(actions.list(10)).extracting(OperatorAction::id).containsExactly(started.id());
    assertThat(actions.pause(started.id(), "too late")).isFalse();
    assertThat(Database.byDefault().column(AUDIT))
        .containsExactly("redrive unknown the queue is back 2");
  }

  @Test
  void theWebModuleFindsTheDeadLetters() {
    UUID id = deadLetter("x");
    assertThat(letters.get(id)).isPresent();
    assertThat(letters.find(DeadLetterFilter.all().destination("other"), Page.first(1))).isEmpty();
    assertThat(letters.plan(DeadLetterFilter.all()).letters()).isEqualTo(1);
    assertThatThrownBy(() -> letters.discard(letters.plan(DeadLetterFilter.all()), " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A reason has 1 to 1000 characters");
    assertThat(letters.get(id)).isPresent();
  }

  @Test
  void recordedFailuresAreReadBesideTheMessages() {
    UUID id = UUID.randomUUID();
    Database.byDefault()
        .run(
            """
            INSERT INTO letters_outbox_failure
              (message_id, slot, failure_no, destination, attempt, dead, node, error_class, frame,
               error, signature)
            VALUES (?, 0, 1, 'letters', 1, TRUE, 'n', 'E', 'f', 'refused', '5ef0')
            """,
            id);

    assertThat(failures.of(id)).extracting(FailedAttempt::error).containsExactly("refused");
    assertThat(lookup.life(id).events()).extracting(Event::kind).containsExactly(Kind.DIED);
    assertThat(lookup.life(id).note()).isPresent();
    assertThat(failures.groups("", 9))
        .singleElement()
        .satisfies(group -> assertThat(group.latest()).contains(failures.of(id).get(0)));
  }

  @Test
  void aDiscardStaysDoneThoughTheCallerRollsBack() {
    UUID id = deadLetter("x");
    assertThat(operator.discardAndRollBack("sent by hand")).isEqualTo(1);
    assertThat(letters.get(id)).isEmpty();
    assertThat(Database.byDefault().value("SELECT outcome FROM letters_outbox_archive"))
        .isEqualTo("DISCARDED");
    assertThat(Database.byDefault().column(AUDIT))
        .containsExactly("discard unknown sent by hand 1");
    assertThat(audit.find(AuditFilter.all().action("discard"), "", 9).items())
        .singleElement()
        .satisfies(entry -> assertThat(entry.reason()).isEqualTo("sent by hand"));
    assertThat(lookup.find(LookupFilter.all().id(id), "", 9).items())
        .singleElement()
        .satisfies(found -> assertThat(found.status()).isEqualTo(Status.DISCARDED));
  }

  private static String statusAndAttempts(String key) {
    return Database.byDefault()
        .value(
            "SELECT status || ' ' || attempts FROM letters_outbox_message"
                + " WHERE ordering_key = ? ORDER BY seq FETCH FIRST ROW ONLY",
            key);
  }

  @Test
  void aPolicyIsInEffectAtOnceThoughTheCallerRollsBack() throws JMSException {
    operator.setPolicyAndRollBack(
        "letters",
        OutboxPolicy.asConfigured().maxAttempts(1).onDeadLetter(OnDeadLetter.CONTINUE),
        "one lost page");
    operator.sendLost("letters", "page");
    operator.sendBehind("letters", "page", "the next page");

    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("the next page");
    Eventually.eventually(() -> assertThat(statusAndAttempts("page")).isEqualTo("DEAD 1"));
    assertThat(policies.list())
        .singleElement()
        .satisfies(
            set ->
                assertThat(set)
                    .returns("letters", RuntimePolicy::name)
                    .returns("unknown", RuntimePolicy::principal)
                    .returns("one lost page", RuntimePolicy::reason));
    assertThat(policies.reset("letters", "found")).isTrue();
    assertThat(policies.list()).isEmpty();
    assertThat(Database.byDefault().column(AUDIT))
        .containsExactlyInAnyOrder(
            "set-policy unknown one lost page 0", "end-policy unknown found 0");
  }

  @Test
  void aPolicyOfAnotherNodeIsFollowedWithinSeconds() throws JMSException {
    operator.sendLost("letters", "book");
    operator.sendBehind("letters", "book", "the next book");
    Eventually.eventually(() -> assertThat(statusAndAttempts("book")).startsWith("DELAYED "));
    Database.byDefault()
        .run(
            """
            INSERT INTO letters_outbox_policy
              (destination, max_attempts, on_dead_letter, reason, principal)
            VALUES ('letters', 1, 'CONTINUE', 'x', 'bob')
            """);

    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("the next book");
    assertThat(statusAndAttempts("book"))
        .as("by the configuration it would have ten attempts")
        .matches("DEAD [2-6]");
    assertThat(policies.reset("letters", "x")).isTrue();
  }

  @Test
  void theUserIsOnRecord() {
    int port = Integer.parseInt(Names.variable("http.port"));
    assertThat(Endpoint.get(port, "/letters/pause").body()).isEqualTo("done");
    assertThat(relay.paused())
        .extracting(Paused::name, Paused::principal)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("by-bean", "ada"),
            org.assertj.core.groups.Tuple.tuple("by-page", "ada"));
  }

  @Test
  void aPausedDestinationWaitsUntilItIsResumed() throws JMSException {
    assertThat(operator.pause("letters", "moving house")).isTrue();
    assertThat(operator.pause("letters", "again")).isFalse();
    assertThat(operator.paused())
        .extracting(Paused::name, Paused::reason, Paused::principal)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("letters", "moving house", "unknown"));
    operator.send("letters", "held up");
    Eventually.patience(Duration.ofSeconds(10))
        .during(Duration.ofSeconds(2)) // a commit wakes the relay at once
        .until(() -> Broker.depth("jms/letters") == 0);
    assertThat(relay.awaitEmpty("letters", Duration.ZERO)).isFalse();
    assertThat(operator.resume("letters", "done")).isTrue();
    assertThat(relay.paused()).isEmpty();
    assertThat(Broker.receive("jms/letters").getBody(String.class)).isEqualTo("held up");
    assertThat(Database.byDefault().column(AUDIT))
        .containsExactlyInAnyOrder("pause unknown moving house 0", "resume unknown done 0");
  }
}
