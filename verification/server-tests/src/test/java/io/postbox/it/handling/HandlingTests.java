package io.postbox.it.handling;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.handling.Script.Failure;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import jakarta.jms.JMSException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on each database; each test class deploys the application on another one. */
abstract class HandlingTests extends MismatchTests {
  private final String[] out = {
    "service=\"" + service + "\"", "destination=\"" + service + "-follow-up\""
  };
  private final String[] in = {"service=\"" + service + "\"", "consumer=\"handler\""};

  @Test
  void aHandlerThatThrowsThreeTimesHasItsEffectsOnce() throws JMSException {
    failsThreeTimesThenHasItsEffectsOnce(Failure.RUNTIME_EXCEPTION);
  }

  @Test
  @Tag("full")
  void anExceptionThatSaysNotToRollBackRollsBackNevertheless() throws JMSException {
    failsThreeTimesThenHasItsEffectsOnce(Failure.NOT_ROLLING_BACK);
  }

  @Test
  @Tag("full")
  void anErrorRollsBackAndTheMessageIsRedelivered() throws JMSException {
    failsThreeTimesThenHasItsEffectsOnce(Failure.ERROR);
  }

  @Test
  @Tag("full")
  void aHandlerThatGivesItsTransactionUpGetsTheMessageAgain() throws JMSException {
    failsThreeTimesThenHasItsEffectsOnce(Failure.SET_ROLLBACK_ONLY);
  }

  @Test
  @Tag("full")
  void aStatementThatTheDatabaseRefusesRollsBackAndTheMessageIsRedelivered() throws JMSException {
    failsThreeTimesThenHasItsEffectsOnce(Failure.FAILING_SQL);
  }

  /** Of the four follow-ups that are enqueued, three were rolled back: only one may come. */
  private void failsThreeTimesThenHasItsEffectsOnce(Failure how) throws JMSException {
    String text = "fails with " + how;
    UUID id = UUID.randomUUID();
    script.fail(text, 3, how);

    Broker.send(queue, id, text, 1);

    followUpComesOnce(text);
    assertThat(script.attemptsOn(text)).hasSize(4);
    hasEffectAndRowOnce(text, id);
    eventually(() -> assertThat(processed()).isOne());
    assertThat(skipped()).isZero();
  }

  @Test
  void tenCopiesFiveAtOnceHaveOneEffectAndNineAreSkipped() throws JMSException {
    String text = "ten copies";
    UUID id = UUID.randomUUID();
    script.waitForCompany(text, 4);

    Broker.send(queue, id, text, 5);
    eventually(() -> assertThat(skipped()).isEqualTo(4));
    Broker.send(queue, id, text, 5);
    eventually(() -> assertThat(skipped()).isEqualTo(9));

    assertThat(processed()).isOne();
    assertThat(script.attemptsOn(text))
        .as("one attempt, and how many copies waited in the database during it")
        .singleElement()
        .satisfies(waiting -> assertThat(waiting).isPositive());
    hasEffectAndRowOnce(text, id);
    followUpComesOnce(text);
  }

  @Test
  void aMessageWithoutAnIdIsQuarantinedAndAcknowledged() {
    Broker.sendWithoutId(queue, "nameless");

    eventually(() -> assertThat(quarantined()).isOne());
    eventually(() -> assertThat(Broker.depth(queue)).isZero());
    assertThat(script.attemptsOn("nameless")).isEmpty();
    eventually(
        () ->
            assertThat(Log.ofServer().lines("IBX0005", "'handler'", "Message id: none"))
                .isNotEmpty());
    assertThat(column("SELECT payload_text FROM %sinbox_stored WHERE message_id IS NULL"))
        .containsExactly("nameless");
  }

  @Test
  void theMetricsOfTheContractAreThere() throws JMSException {
    String text = "to be counted";
    UUID id = UUID.randomUUID();
    script.fail(text, 1, Failure.RUNTIME_EXCEPTION);
    List<String> metricsBefore = metrics();
    double relayed = Endpoint.value(metricsBefore, "postbox_outbox_relayed_total", out);
    double enqueued = Endpoint.value(metricsBefore, "postbox_outbox_enqueued_total", out);
    double handlers = Endpoint.value(metricsBefore, "postbox_inbox_handler_seconds_count", in);
    double processed = Endpoint.value(metricsBefore, "postbox_inbox_processed_total", in);
    double skipped = duplicates(metricsBefore);
    double failures = Endpoint.value(metricsBefore, "postbox_inbox_failures_total", in);

    Broker.send(queue, id, text, 1);
    followUpComesOnce(text);
    Broker.send(queue, id, text, 1);
    eventually(() -> assertThat(skipped()).isOne());

    eventually(
        () -> {
          List<String> metrics = metrics();
          assertThat(Endpoint.value(metrics, "postbox_outbox_relayed_total", out))
              .isEqualTo(relayed + 1);
          assertThat(Endpoint.value(metrics, "postbox_outbox_enqueued_total", out))
              .as("one, and not the one that was rolled back")
              .isEqualTo(enqueued + 1);
          assertThat(Endpoint.value(metrics, "postbox_inbox_handler_seconds_count", in))
              .as("one that failed, and one that did not")
              .isEqualTo(handlers + 2);
          assertThat(Endpoint.metric(metrics, "postbox_inbox_age_seconds_count", in)).hasSize(1);
          assertThat(Endpoint.metric(metrics, "postbox_inbox_quarantined_messages", in)).hasSize(1);
          assertThat(Endpoint.value(metrics, "postbox_inbox_processed_total", in))
              .isEqualTo(processed + 1);
          assertThat(duplicates(metrics)).isEqualTo(skipped + 1);
          assertThat(Endpoint.metric(metrics, "postbox_inbox_skipped_total", in))
              .as("one for each reason")
              .hasSize(3);
          assertThat(Endpoint.value(metrics, "postbox_inbox_failures_total", in))
              .isEqualTo(failures + 1);
          assertThat(Endpoint.metric(metrics, "postbox_inbox_quarantined_total", in)).hasSize(1);
          for (String name :
              List.of(
                  "postbox_outbox_pending",
                  "postbox_outbox_oldest_pending_seconds",
                  "postbox_outbox_attempts_failed_total",
                  "postbox_outbox_dead_letters",
                  "postbox_outbox_breaker_open",
                  "postbox_outbox_relay_seconds_count")) {
            assertThat(Endpoint.metric(metrics, name, out)).as(name).hasSize(1);
          }
          assertThat(Endpoint.value(metrics, "postbox_outbox_pending", out)).isZero();
        });
  }

  @Test
  void bothModulesAreReady() {
    HttpResponse<String> ready =
        Endpoint.get(Integer.parseInt(Names.variable("http.port")), "/health/ready");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body())
        .contains("postbox-outbox", "postbox-inbox", "\"service\":\"" + service + "\"");
  }

  private double duplicates(List<String> metrics) {
    return Endpoint.value(
        metrics, "postbox_inbox_skipped_total", in[0], in[1], "reason=\"duplicate\"");
  }

  private static List<String> metrics() {
    return Endpoint.metrics(Integer.parseInt(Names.variable("http.port")));
  }
}
