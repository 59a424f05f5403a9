package io.postbox.it.cdc;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.RelayControl;
import jakarta.ejb.EJBException;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node beside a connector, whose place a replication slot that the test reads takes. */
@ArquillianTest
class ConnectorIT {
  private static final String SERVICE = "cdc";
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping").text("x");
  private static final Pattern INSERT =
      Pattern.compile("cdc_outbox_message: INSERT:.* id\\[uuid\\]:'([^']+)'");

  @Inject Sender sender;
  @Inject OutboxStatistics statistics;
  @Inject RelayControl control;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        ConnectorIT.class,
        SERVICE,
        Archives.settings(
            SERVICE,
            "postbox.outbox.data-source",
            "jdbc/pg",
            "postbox.inbox.data-source",
            "jdbc/pg",
            "postbox.outbox.relay.mode",
            "cdc",
            "postbox.outbox.relay.slot",
            "cdc_slot"));
  }

  @AfterEach
  void dropSlot() {
    database()
        .column(
            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                + " WHERE slot_name = 'cdc_slot'");
  }

  private static Database database() {
    return Database.at("jdbc/pg");
  }

  private static void makeSlot() {
    database().column("SELECT pg_create_logical_replication_slot('cdc_slot', 'test_decoding')");
  }

  /** The ids of the messages that a connector would read, which it then has read. */
  private static List<UUID> read() {
    List<UUID> ids = new ArrayList<>();
    for (String change :
        database().column("SELECT data FROM pg_logical_slot_get_changes('cdc_slot', NULL, NULL)")) {
      Matcher insert = INSERT.matcher(change);
      if (insert.find()) {
        ids.add(UUID.fromString(insert.group(1)));
      }
    }
    return ids;
  }

  private static long rows() {
    return database().count("cdc_outbox_message");
  }

  private static double metric(String name, String... tags) {
    List<String> all = new ArrayList<>(List.of("service=\"cdc\""));
    all.addAll(List.of(tags));
    return Endpoint.value(
        Endpoint.metrics(port()), "postbox_outbox_" + name, all.toArray(String[]::new));
  }

  private static String health(String kind) {
    return Endpoint.get(port(), "/health/" + kind).body();
  }

  private static int port() {
    return Integer.parseInt(Names.variable("http.port"));
  }

  @Test
  void committedMessagesAreForTheConnectorAndNoNodeRelays() {
    makeSlot();
    eventually(() -> assertThat(metric("slot_missing")).isZero());
    List<UUID> ids = new ArrayList<>();
    ids.add(sender.send(MESSAGE.event("OrderPlaced").aggregate("Order", 7)));
    ids.addAll(sender.sendAll(List.of(MESSAGE, MESSAGE.id(UUID.randomUUID()), MESSAGE)));

    assertThat(rows()).isZero();
    eventually(() -> assertThat(metric("slot_lag_bytes")).isPositive());
    assertThat(read()).isEqualTo(ids);
    assertThat(statistics.byDestination()).isEmpty();
    eventually(
        () ->
            assertThat(metric("enqueued_total", "destination=\"shipping\""))
                .isGreaterThanOrEqualTo(ids.size()));
    assertThat(metric("relayed_total", "destination=\"shipping\"")).isZero();
    assertThat(health("live")).contains("\"enabled\":false");
    assertThat(Log.ofServer().lines("OBX0001", "service=cdc"))
        .last()
        .asString()
        .contains("relay-mode=cdc from cdc_slot, relay=false");
  }

  @Test
  void withoutASlotNothingCommits() {
    assertThatThrownBy(() -> sender.send(MESSAGE))
        .isInstanceOf(EJBException.class)
        .rootCause()
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("no logical replication slot 'cdc_slot'");
    assertThat(catchThrowable(() -> sender.sendRegardless(MESSAGE)))
        .as("some containers say that they could not commit")
        .satisfiesAnyOf(
            it -> assertThat(it).isNull(), it -> assertThat(it).isInstanceOf(EJBException.class));

    assertThat(rows()).isZero();
    eventually(() -> assertThat(metric("slot_missing")).isEqualTo(1));
    assertThat(health("ready")).contains("\"slot\":\"no replication slot carries messages");
    assertThat(Log.ofServer().lines("OBX0065", "'cdc_slot'")).isNotEmpty();
    makeSlot();
    eventually(() -> assertThat(metric("slot_missing")).isZero());
    UUID id = sender.send(MESSAGE);
    assertThat(read()).containsExactly(id);
  }

  @Test
  @Tag("full")
  void aRelaysOperationsAreRefused() {
    makeSlot();
    assertThatThrownBy(() -> sender.send(OutboxMessage.to("shipping").bytes(new byte[] {1})))
        .rootCause()
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("relay.mode=cdc");
    assertThatThrownBy(() -> control.pause("shipping", "moving"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Pause the connector");
    assertThat(control.paused()).isEmpty();
    assertThat(read()).isEmpty();
  }
}
