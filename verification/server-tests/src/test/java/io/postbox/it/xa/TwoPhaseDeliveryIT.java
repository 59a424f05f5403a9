package io.postbox.it.xa;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class TwoPhaseDeliveryIT {
  @Inject Sender sender;
  @Inject OutboxStatistics outbox;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        TwoPhaseDeliveryIT.class,
        "xa",
        Archives.settings(
            "xa",
            "postbox.outbox.data-source",
            "jdbc/pg",
            "postbox.inbox.data-source",
            "jdbc/pg",
            "postbox.outbox.delivery",
            "xa",
            "postbox.outbox.relay.batch-size",
            "50"));
  }

  @Test
  void aBatchIsSentAndCompletedInOneTransactionOverDatabaseAndBroker() throws JMSException {
    Log log = Log.fromNow(Path.of(Names.variable("it.postgres.log")));
    sender.send("xa", 120);

    assertThat(texts(Broker.receive("jms/xa", 120)))
        .isEqualTo(IntStream.range(0, 120).mapToObj(String::valueOf).toList());
    Invariants.nothingPending(outbox);
    assertThat(Broker.depth("jms/xa")).isZero();
    eventually(
        () -> {
          assertThat(log.lines("PREPARE TRANSACTION")).as("one for each batch").hasSize(3);
          assertThat(log.lines("COMMIT PREPARED")).hasSize(3);
        });
    assertThat(Database.at("jdbc/pg").column("SELECT gid FROM pg_prepared_xacts")).isEmpty();
  }

  /** The rows are there until the destination is: the database keeps refused messages. */
  @Test
  void aDestinationAtFaultKeepsItsMessagesAndCountsNoAttempt() {
    sender.send("nowhere-xa", 5);

    eventually(() -> assertThat(Log.ofServer().lines("OBX0004", "'nowhere-xa'")).isNotEmpty());
    assertThat(
            Database.at("jdbc/pg")
                .column(
                    "SELECT status || ' ' || attempts FROM xa_outbox_message WHERE destination ="
                        + " 'nowhere-xa'"))
        .hasSize(5)
        .containsOnly("PENDING 0");
    Database.at("jdbc/pg").run("DELETE FROM xa_outbox_message");
  }

  private static List<String> texts(List<Message> messages) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (Message message : messages) {
      texts.add(message.getBody(String.class));
    }
    return texts;
  }
}
