package io.postbox.it.watch;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Predicate;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a node that does not relay: it counts all the same, for it enqueues. */
@ArquillianTest
class BacklogIT {
  private static final String SERVICE = "service=\"backlog\"";

  @Inject Sender sender;
  @Inject OutboxStatistics outbox;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        "backlog",
        Archives.ejbModule(
            "backlog",
            Archives.settings(
                "backlog",
                "postbox.outbox.relay.enabled",
                "false",
                "postbox.outbox.backlog.warn-count",
                "3",
                "postbox.outbox.backlog.max-count",
                "5",
                "postbox.outbox.destination.resting.jndi-name",
                "jms/resting"),
            Sender.class),
        Archives.webModule("backlog", BacklogIT.class));
  }

  private static double metric(String name, String... more) {
    int port = Integer.parseInt(Names.variable("http.port"));
    String[] tags = new String[more.length + 1];
    tags[0] = SERVICE;
    System.arraycopy(more, 0, tags, 1, more.length);
    return Endpoint.value(Endpoint.metrics(port), "postbox_outbox_" + name, tags);
  }

  private static HttpResponse<String> ready() {
    return Endpoint.get(Integer.parseInt(Names.variable("http.port")), "/health/ready");
  }

  private static List<String> logged(String id, String part) {
    return Log.ofServer().lines(id, part);
  }

  @Test
  @Tag("full")
  void aBacklogIsReportedThenRefusedAndTakenAgain() {
    Database database = Database.byDefault();
    sender.send("first", 3);
    eventually(() -> assertThat(metric("backlog_warning")).isEqualTo(1));
    assertThat(metric("backlog_full")).isZero();
    eventually(() -> assertThat(metric("pending", "destination=\"first\"")).isEqualTo(3));
    assertThat(ready().body()).contains("3 messages wait", "postbox.outbox.backlog.warn-count=3");
    assertThat(logged("OBX0030", "postbox.outbox.backlog.warn-count=3")).isNotEmpty();

    sender.send("second", 2);
    eventually(
        () ->
            assertThatThrownBy(() -> sender.send("second", 1))
                .rootCause()
                .isInstanceOf(BacklogFullException.class)
                .hasMessageContaining("postbox.outbox.backlog.max-count=5"));
    long messages = database.count("backlog_outbox_message");
    assertThatThrownBy(() -> sender.send("second", 1)).rootCause();
    assertThat(database.count("backlog_outbox_message")).isEqualTo(messages);
    eventually(
        () -> {
          assertThat(metric("backlog_full")).isEqualTo(1);
          assertThat(metric("refused_total")).isGreaterThanOrEqualTo(2);
        });
    assertThat(ready().statusCode()).as("another node could do no better").isEqualTo(200);
    assertThat(ready().body()).contains("enqueue refuses");
    assertThat(logged("OBX0032", "postbox.outbox.backlog.max-count=5")).isNotEmpty();

    database.run("DELETE FROM backlog_outbox_message");
    eventually(
        () -> {
          assertThat(metric("backlog_full")).isZero();
          assertThat(metric("pending", "destination=\"first\""))
              .as("a destination that has emptied")
              .isZero();
        });
    sender.send("first", 1);
    assertThat(outbox.byDestination())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.destination()).isEqualTo("first");
              assertThat(it.pending()).isEqualTo(1);
            });
    database.run("DELETE FROM backlog_outbox_message");
    assertThat(outbox.byDestination()).isEqualTo(List.<DestinationStatistics>of());
  }

  @Test
  void messagesAreNotCountedBeforeTheCallersTransactionCommits() {
    assertThat(sender.sendAndCount("counted", 1)).noneMatch(ofDestination("counted"));
    assertThat(outbox.byDestination()).anyMatch(ofDestination("counted"));
    Database.byDefault().run("DELETE FROM backlog_outbox_message");
  }

  private static Predicate<DestinationStatistics> ofDestination(String name) {
    return it -> it.destination().equals(name);
  }

  /** Anybody can ask for health: it has no names but configured ones, and no words of people. */
  @Test
  void aPauseIsInHealthDataAndMetricsAndItsReasonIsNot() {
    Database database = Database.byDefault();
    sender.send("resting", 1);
    database.run(
        "INSERT INTO backlog_outbox_switch (destination, reason, principal)"
            + " VALUES ('resting', 'they move house', 'anna'), ('ada', 'they move house', 'anna')");

    eventually(
        () -> {
          assertThat(ready().body())
              .contains("\"paused: resting\":\"an operator has paused it; the log says who and why")
              .contains("\"paused, without a configured name\":\"1\"")
              .doesNotContain("move house", "anna", "ada\"");
          assertThat(metric("paused", "destination=\"resting\"")).isEqualTo(1);
        });
    assertThat(ready().statusCode()).isEqualTo(200);
    database.run("DELETE FROM backlog_outbox_switch");
    database.run("DELETE FROM backlog_outbox_message");
  }
}
