package io.postbox.it.handling;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.TestApplication;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.UUID;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The application on one database, and what its tests look at. */
abstract class HandlingFrame {
  private final TestApplication application = TestApplication.of(getClass());
  final String service = application.service();
  final String queue = application.queue();
  private final String followUps = queue + "-follow-up";

  @Inject Script script;
  @Inject InboxStatistics inbox;
  @Inject OutboxStatistics outbox;

  private ConsumerStatistics before = new ConsumerStatistics("handler", 0, 0, 0, 0);

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(it.test(), it.service(), Archives.settings(it));
  }

  @BeforeEach
  void count() {
    Broker.drain(followUps);
    before = now();
  }

  @AfterEach
  void nothingIsLeft() {
    Invariants.nothingPending(outbox);
    eventually(() -> assertThat(Broker.depth(queue)).isZero());
    assertThat(Broker.depth(followUps)).isZero();
  }

  /** The next message of the follow-up's queue is this one, and there is no other. */
  void followUpComesOnce(String text) throws JMSException {
    TextMessage followUp = (TextMessage) Broker.receive(followUps);
    assertThat(followUp.getText()).isEqualTo(text);
    Invariants.nothingPending(outbox);
    assertThat(Broker.depth(followUps)).isZero();
  }

  void hasEffectAndRowOnce(String text, UUID id) {
    assertThat(column("SELECT text FROM handling_effect WHERE text = ?", text)).hasSize(1);
    assertThat(column("SELECT consumer FROM %sinbox_message WHERE message_id = ?", id.toString()))
        .containsExactly("handler");
  }

  /**
   * The first column of a query on the application's database.
   *
   * @param sql with {@code %s} for the tables' prefix
   */
  List<String> column(String sql, Object... parameters) {
    return application.database().column(sql.replace("%s", application.prefix()), parameters);
  }

  long processed() {
    return now().processed() - before.processed();
  }

  long skipped() {
    return now().skipped() - before.skipped();
  }

  long quarantined() {
    return now().quarantined() - before.quarantined();
  }

  private ConsumerStatistics now() {
    return inbox.byConsumer().stream()
        .filter(statistics -> statistics.consumer().equals("handler"))
        .findAny()
        .orElse(new ConsumerStatistics("handler", 0, 0, 0, 0));
  }
}
