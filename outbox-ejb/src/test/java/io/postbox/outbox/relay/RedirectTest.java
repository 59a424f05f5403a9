package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.OutboxTables;
import io.postbox.outbox.ops.Redirects;
import io.postbox.outbox.ops.WaitingActions;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages to a name that leads nowhere go elsewhere once somebody says so. */
class RedirectTest {
  private static Redirects redirects(TestDatabase database, RelayFixture relay) {
    return new Redirects(
        new OutboxTables(database.dialect(), relay.config, relay.counting.dataSource()));
  }

  private static WaitingPlan plan(TestDatabase database, RelayFixture relay) {
    return new WaitingActions(
            new OutboxTables(database.dialect(), relay.config, relay.counting.dataSource()))
        .plan("shiping", "ada");
  }

  private static List<String> targets(RelayFixture relay) {
    return relay.broker.received().stream().map(StoredMessage::goesTo).distinct().toList();
  }

  @ParameterizedTest
  @EnumSource
  void messagesForAMissingDestinationAreRedirectedInTheirOrder(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    relay.broker.unknownDestinations.add("shiping");
    List<Long> waiting = relay.enqueue(keyed(30, "shiping", "k"));
    relay.drain();
    assertThat(relay.broker.received()).isEmpty();

    WaitingPlan plan = plan(database, relay);
    assertThat(plan.messages()).isEqualTo(30);
    redirects(database, relay)
        .redirect(plan.token().id(), "shiping", "shipping", "ada", "mistyped");
    List<Long> later = relay.enqueue(keyed(5, "shiping", "k"));
    relay.clock.pass(Duration.ofSeconds(10)); // a probe is due
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).startsWith(waiting.toArray(Long[]::new));
    assertThat(relay.broker.receivedSeqs()).endsWith(later.toArray(Long[]::new));
    assertThat(targets(relay)).containsExactly("shipping");
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void otherDestinationsAreNotConcernedAndItCanBeEnded(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT);
    redirects(database, relay)
        .redirect(plan(database, relay).token().id(), "shiping", "shipping", "ada", "mistyped");
    relay.enqueue(keyed("other", "k"));
    relay.drain();
    assertThat(targets(relay)).containsExactly("other");

    assertThat(redirects(database, relay).end("shiping", "ada", "mended")).isTrue();
    relay.enqueue(keyed("shiping", "k"));
    relay.drain();
    assertThat(targets(relay)).containsExactly("other", "shiping");
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectCostsThePassNoStatement(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    relay.enqueue(keyed(10, "shiping", "k"));
    int before = relay.counting.statements();
    relay.pass().run(relay.lane(keyed("shiping", "k")));
    int statements = relay.counting.statements() - before;

    redirects(database, relay)
        .redirect(plan(database, relay).token().id(), "shiping", "shipping", "ada", "mistyped");
    relay.enqueue(keyed(10, "shiping", "k"));
    before = relay.counting.statements();
    relay.pass().run(relay.lane(keyed("shiping", "k")));

    assertThat(relay.counting.statements() - before).isEqualTo(statements);
    assertThat(targets(relay)).containsExactly("shiping", "shipping");
  }
}
