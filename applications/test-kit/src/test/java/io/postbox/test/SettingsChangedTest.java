package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.TestPostgres;
import io.postbox.inbox.Inbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer that gets an order, or another name, between two deployments on the same tables. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class SettingsChangedTest {
  private static final String ORDERED = "postbox.inbox.consumer.shipping.order";

  @Parameter boolean onPostgres;
  private final List<String> handled = new ArrayList<>();
  private String url = "";

  @Inbox("shipping")
  final class Shipping implements MessageListener {
    @Override
    public void onMessage(Message message) {
      note(message);
    }
  }

  @Inbox("dispatch")
  final class Dispatch implements MessageListener {
    @Override
    public void onMessage(Message message) {
      note(message);
    }
  }

  private void note(Message message) {
    try {
      handled.add(message.getBody(String.class));
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** A deployment on the tables of the one before, which has stopped. */
  private InboxHarness deployed(Map<String, String> settings) {
    if (url.isEmpty()) {
      url =
          onPostgres
              ? TestPostgres.freshUrl()
              : "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000".formatted(UUID.randomUUID());
    }
    InboxHarness inbox = InboxHarness.on(url, user(), user());
    settings.forEach(inbox::setting);
    return inbox;
  }

  private String user() {
    return onPostgres ? "postgres" : "";
  }

  private static OutboxMessage version(long version) {
    return OutboxMessage.to("shipping")
        .event("OrderChanged")
        .aggregate("Order", "A")
        .aggregateVersion(version)
        .text("A@" + version);
  }

  private void withoutAnOrder(long... versions) {
    try (InboxHarness inbox = deployed(Map.of())) {
      for (long version : versions) {
        inbox.handler(new Shipping()).deliver(version(version)).run();
      }
    }
  }

  @Test
  void anOrderMayBeSwitchedOnForAggregatesThatLive() {
    withoutAnOrder(56, 57);

    try (InboxHarness inbox =
        deployed(Map.of(ORDERED, "version", ORDERED + ".first-version", "any"))) {
      inbox.handler(new Shipping()).deliver(version(58)).run();
      inbox.handler(new Shipping()).deliver(version(59), version(60)).run();
    }

    assertThat(handled).containsExactly("A@56", "A@57", "A@58", "A@59", "A@60");
  }

  @Test
  void theFirstVersionMayBeGivenAgainLater() {
    try (InboxHarness inbox =
        deployed(Map.of(ORDERED, "version", ORDERED + ".first-version", "any"))) {
      inbox.handler(new Shipping()).deliver(version(58)).run();
    }

    try (InboxHarness inbox = deployed(Map.of(ORDERED, "version"))) {
      inbox.handler(new Shipping()).deliver(version(59)).run();
      inbox.handler(new Shipping()).deliver(version(57)).quarantined();
    }

    assertThat(handled).containsExactly("A@58", "A@59");
  }

  /** The documented statement. */
  @Test
  void theVersionsMayBeTakenFromTheApplicationsTables() {
    withoutAnOrder(56, 57);

    try (InboxHarness inbox = deployed(Map.of(ORDERED, "version"))) {
      inbox.execute(
          "CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL, version BIGINT NOT NULL)",
          "INSERT INTO shipment VALUES ('A', 57)");
      inbox.execute(documented("INSERT INTO inbox_aggregate"));

      inbox.handler(new Shipping()).deliver(version(58)).run();
      inbox.handler(new Shipping()).deliver(version(57)).run(); // stale
    }
    assertThat(handled).containsExactly("A@56", "A@57", "A@58");
  }

  /** The documented statements. */
  @Test
  void aRenamedConsumerKnowsWhatWasHandledUnderItsOldName() {
    OutboxMessage first = version(1).id(UUID.randomUUID());
    try (InboxHarness inbox = deployed(Map.of(ORDERED, "version"))) {
      inbox.handler(new Shipping()).deliver(first, version(2)).run();
      inbox.execute(documented("UPDATE inbox_message SET consumer"));
    }

    try (InboxHarness inbox =
        deployed(Map.of("postbox.inbox.consumer.dispatch.order", "version"))) {
      inbox.handler(new Dispatch()).deliver(first, version(3)).run();
    }

    assertThat(handled).containsExactly("A@1", "A@2", "A@3");
  }

  @Test
  void theStatementsNameEachTableThatKnowsConsumers() {
    String statements = String.join("\n", documented("UPDATE inbox_message SET consumer"));
    try (InboxHarness inbox = deployed(Map.of())) {
      inbox.handler(new Shipping()).deliver(version(1)).run();
      for (String table : tablesWithConsumers(inbox)) {
        assertThat(statements).containsPattern("(UPDATE|FROM) " + table + " ");
      }
    }
  }

  private List<String> tablesWithConsumers(InboxHarness inbox) {
    List<String> tables = new ArrayList<>();
    try (Connection connection = inbox.dataSource().getConnection();
        ResultSet columns =
            connection
                .getMetaData()
                .getColumns(
                    connection.getCatalog(),
                    connection.getSchema(),
                    onPostgres ? "inbox%" : "INBOX%",
                    onPostgres ? "consumer" : "CONSUMER")) {
      while (columns.next()) {
        tables.add(columns.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
    assertThat(tables).hasSizeGreaterThan(10);
    return tables;
  }

  /** The statements of the guide's block that begins so. */
  private static String[] documented(String beginning) {
    try {
      String guide = Files.readString(Path.of("../../docs/handling.md"));
      int begin = guide.indexOf("```sql\n" + beginning) + "```sql\n".length();
      return guide.substring(begin, guide.indexOf("```", begin)).strip().split(";\\s*");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void aDatabaseHasOneHarnessAtATime() {
    try (InboxHarness first = deployed(Map.of())) {
      assertThatThrownBy(() -> deployed(Map.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("another harness has it");
      first.handler(new Shipping()).deliver(version(1)).run();
    }
    assertThat(handled).hasSize(1);
  }
}
