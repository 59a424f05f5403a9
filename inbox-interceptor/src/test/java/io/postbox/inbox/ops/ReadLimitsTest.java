package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.AuditFilter;
import io.postbox.common.Page;
import io.postbox.common.ops.AuditQueries;
import io.postbox.common.ops.FailureQueries;
import io.postbox.common.ops.NodeQueries;
import io.postbox.common.ops.SharedCount;
import io.postbox.common.store.Dialect;
import io.postbox.common.testing.TimeLimits;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Line;
import io.postbox.inbox.store.NodeStore;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person's question keeps a connection of the application's pool for ten seconds at most. */
class ReadLimitsTest {

  @ParameterizedTest
  @EnumSource
  void everyStatementOfAQuestionHasALimitOfTime(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    TimeLimits limits = new TimeLimits(fixture.dataSource);
    DataSource source = limits.dataSource();
    KeptQueries parked = fixture.parked(source);
    KeptQueries quarantined =
        new KeptQueries(
            Kind.QUARANTINED, fixture.config, source, fixture.contents, StoredMessage::text);
    LookupQueries lookup = fixture.lookup(source);
    FailureQueries<?, ?> failures = fixture.failures(source);
    Dialect dialect = database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
    NodeQueries<InboxNode> nodes =
        new NodeQueries<>(
            fixture.calls(source),
            new NodeStore(dialect, fixture.config.tables()),
            NodeDetails::fromRow);
    SharedCount<Line, KeptCounts> counts =
        KeptCounts.on(
            source, new CountStore(dialect, fixture.config.tables()), InstantSource.system());
    CaptureSwitches switches =
        new CaptureSwitches(
            dialect, fixture.config, source, new DeployedConsumers(Set.of("shipping"), false));
    List<Runnable> questions =
        List.of(
            () -> parked.find(KeptFilter.all(), Page.first(10)),
            () -> parked.get(1),
            () -> quarantined.find(KeptFilter.all(), Page.first(10)),
            () -> lookup.find(LookupFilter.all().event("none"), "", 10),
            () -> lookup.failures(LookupFilter.all(), "", 10),
            () -> lookup.life(Optional.empty(), "m-1"),
            () -> failures.groups("", 10),
            () -> failures.of("shipping", "m-1"),
            () -> fixture.gaps(source).find(GapFilter.all(), "", 10),
            () ->
                new AuditQueries(fixture.calls(source), fixture.config.tables())
                    .find(AuditFilter.all(), "", 10),
            nodes::list,
            counts::now,
            counts::history,
            () -> counts.keepHistory("[]"),
            switches::paused);

    for (Runnable question : questions) {
      question.run();
      assertThat(limits.taken()).isNotEmpty().allMatch(seconds -> seconds >= 1 && seconds <= 10);
    }
  }
}
