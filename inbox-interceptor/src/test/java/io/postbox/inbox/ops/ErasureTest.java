package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasurePlan.Found;
import io.postbox.common.ErasureReport.Erased;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.testing.DyingNode;
import io.postbox.common.testing.MarkerSearch;
import io.postbox.common.testing.SettableClock;
import io.postbox.common.testing.Tenth;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Kind;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.RequestReader;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An erasure: the rows that it erases, those that stay, and the cost of finding them. */
class ErasureTest {
  private static final String WHY = "request 17";
  private static final String MARKER = "mUrKs-4711";
  private static final Pattern OURS = Pattern.compile("pb_.*");
  private static final String DIGEST =
      new DataSubjectKey(TestConfig.DATA_SUBJECT_SECRET).digest(MARKER);

  /** Columns that say nothing of a person; each other column has the marker. */
  private static final Set<String> NOT_PERSONAL =
      Set.of(
          "id",
          "consumer",
          "message_id",
          "source",
          "received_at",
          "processed_at",
          "fingerprint",
          "fingerprint_version",
          "stored_fingerprint",
          "stored_fingerprint_version",
          "outcome",
          "attempt",
          "kind",
          "wait_millis",
          "node",
          "error_class",
          "frame",
          "redriven",
          "times",
          "failed_at",
          "attempts",
          "event_type",
          "aggregate_version",
          "destination",
          "size",
          "body_type",
          "encrypted",
          "kept_at",
          "captured",
          "generation",
          "variant",
          "released_as",
          "created_at",
          "version",
          "first_version",
          "changed_at",
          "status",
          "handled",
          "holds",
          "precedence",
          "due_at",
          "waited_for",
          "waits",
          "setbacks",
          "reply_allowed",
          "stored_at",
          "waiting_since");

  private final SettableClock clock = new SettableClock();

  private void run(BackgroundActions node) {
    clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
  }

  private BackgroundActions actions(KeptFixture fixture) {
    return fixture.background(fixture.dataSource, clock);
  }

  private static SortedSet<String> marked(KeptFixture fixture) throws SQLException {
    return MarkerSearch.in(fixture.dataSource, MARKER, OURS);
  }

  /** Messages of somebody, whose ids begin with mine, and of others, in each state and place. */
  private static void fill(KeptFixture fixture) {
    for (String table :
        List.of(
            "inbox_message",
            "inbox_failure",
            "inbox_stored",
            "inbox_result",
            "inbox_aggregate",
            "inbox_discarded",
            "inbox_key",
            "inbox_action",
            "postbox_audit")) {
      fixture.run("DELETE FROM shop.pb_" + table);
    }
    for (String whose : List.of("mine-", "other-")) {
      handled(fixture, whose + "done-", 3, "PROCESSED");
      fixture.park("shipping", whose + "parked-", 3);
      fixture.park("ordered", whose + "version-", 2);
      captured(fixture, whose);
      for (String id : List.of("done-1", "parked-1", "failing-1")) {
        failed(fixture, whose + id);
        result(fixture, whose + id, "");
        result(fixture, whose + id, "pay");
      }
      fixture.run(
          "INSERT INTO shop.pb_inbox_aggregate (consumer, aggregate_type, aggregate_id, version) VALUES ('ordered', 'T', '%s', 3)"
              .formatted(whose));
      fixture.run(
          "INSERT INTO shop.pb_inbox_discarded (consumer, aggregate_type, aggregate_id, version) VALUES ('gone', 'T', '%s', 3)"
              .formatted(whose));
    }
    fixture.quarantine("shipping", 4);
    for (String table : List.of("message", "failure", "stored", "result")) {
      mark(fixture, "inbox_" + table, "message_id LIKE 'mine-%'");
    }
    mark(
        fixture,
        "inbox_stored",
        "id IN (SELECT MIN(id) FROM shop.pb_inbox_stored WHERE status = 'QUARANTINED'"
            + " UNION ALL SELECT MIN(id) + 1 FROM shop.pb_inbox_stored WHERE status ="
            + " 'QUARANTINED')");
    mark(fixture, "inbox_aggregate", "aggregate_id = 'mine-'");
    mark(fixture, "inbox_discarded", "aggregate_id = 'mine-'");
    fixture.run(
        "UPDATE shop.pb_inbox_key SET ordering_key = '%s' WHERE ordering_key = 'mine-'"
            .formatted(MARKER));
    record(fixture, "aggregate-type=Customer, aggregate-id=" + MARKER, WHY);
    record(fixture, "message-id=x as of Customer/" + MARKER, "for Customer/" + MARKER);
    fixture.run(
        "UPDATE shop.pb_inbox_action SET note = 'stopped by Customer/%1$s', progress = '{\"refused.7\":\"at%%3ACustomer%%2F%1$s\"}'"
            .formatted(MARKER));
  }

  private static void handled(KeptFixture fixture, String prefix, int howMany, String outcome) {
    fixture.run(
        "INSERT INTO shop.pb_inbox_message (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome) SELECT 'shipping', '%s' || i, 'shop', %s, 1, '{}', '%s' FROM %s n"
            .formatted(prefix, fixture.fingerprint(), outcome, fixture.numbers(howMany)));
  }

  private static void captured(KeptFixture fixture, String whose) {
    fixture.run(
        "INSERT INTO shop.pb_inbox_key (consumer, ordering_key) VALUES ('shipping', '%s')"
            .formatted(whose));
    String[] ids = {"pending-1", "delayed-1", "head-1", "held-1", "kept-1", "placed-1"};
    String[] statuses = {"PENDING", "DELAYED", "PENDING", "HELD", "PROCESSED", "PARKED"};
    for (int i = 0; i < ids.length; i++) {
      fixture.run(
          """
          INSERT INTO shop.pb_inbox_stored
            (consumer, message_id, status, captured, precedence, ordering_key, due_at, source, event_type,
             aggregate_type, aggregate_id, fingerprint, fingerprint_version, headers, size,
             body_type, payload_text, properties, kept_at)
          VALUES ('shipping', '%s', '%s', TRUE, 5, %s, CURRENT_TIMESTAMP, 'shop', 'e', 'Order', '7', %s,
            1, '{}', 0, 'TEXT', 'body', '{"headers":{},"properties":{}}', CURRENT_TIMESTAMP)
          """
              .formatted(
                  whose + ids[i],
                  statuses[i],
                  ids[i].startsWith("he") ? "'" + whose + "'" : "NULL",
                  fixture.fingerprint()));
      String outcome = statuses[i].equals("PROCESSED") ? "PROCESSED" : "CAPTURED";
      handled(fixture, whose + ids[i].substring(0, ids[i].length() - 1), 1, outcome);
    }
  }

  private static void failed(KeptFixture fixture, String id) {
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason) VALUES ('shipping', '%s', 1, 'FAILED', 'no stock')"
            .formatted(id));
  }

  private static void result(KeptFixture fixture, String id, String effect) {
    fixture.run(
        "INSERT INTO shop.pb_inbox_result (consumer, message_id, effect, result) VALUES ('shipping', '%s', '%s', 'ok')"
            .formatted(id, effect));
  }

  private static void record(KeptFixture fixture, String subject, String reason) {
    fixture.run(
        "INSERT INTO shop.pb_postbox_audit (id, module, service, action, principal, reason, subject, messages) VALUES ('%s', 'inbox', 'shop', 'redrive', 'bob', '%s', 'parked messages %s', 1)"
            .formatted(UUID.randomUUID(), reason, subject));
    fixture.run(
        "INSERT INTO shop.pb_inbox_action (id, action, state, principal, reason, subject, total, plan, progress, finished_at) VALUES ('%s', 'redrive', 'DONE', 'bob', '%s', 'parked messages %s', 1, '%s', '', CURRENT_TIMESTAMP)"
            .formatted(UUID.randomUUID(), reason, subject, "{\"x\":\"" + subject + "\"}"));
  }

  private static void mark(KeptFixture fixture, String table, String which) {
    boolean isH2 = fixture.fingerprint().startsWith("X");
    String set =
        fixture
            .column(
                "SELECT column_name FROM information_schema.columns WHERE table_name IN ('pb_%s', 'PB_%s')"
                    .formatted(table, table.toUpperCase(Locale.ROOT)))
            .stream()
            .map(column -> column.toLowerCase(Locale.ROOT))
            .filter(column -> !NOT_PERSONAL.contains(column))
            .filter(column -> !column.equals("reason") || table.equals("inbox_failure"))
            .map(
                column ->
                    column
                        + " = "
                        + switch (column) {
                          case "aggregate_type" -> "'Customer'";
                          case "aggregate_id" -> "'" + MARKER + "'";
                          case "data_subject" -> "'" + DIGEST + "'";
                          case "headers" ->
                              "'{\"OutboxAggregateId\":\"%s\",\"OutboxAggregateType\":\"Customer\"}'"
                                  .formatted(MARKER);
                          case "payload_bytes" ->
                              isH2
                                  ? "STRINGTOUTF8('" + MARKER + "')"
                                  : "CAST('" + MARKER + "' AS BYTEA)";
                          case "effect" ->
                              "CASE WHEN effect = '' OR message_id = 'mine-failing-1' THEN effect ELSE 'of %s' END"
                                  .formatted(MARKER);
                          case "ordering_key" ->
                              "CASE WHEN ordering_key IS NOT NULL THEN '" + MARKER + "' END";
                          default -> "'of " + MARKER + "'";
                        })
            .collect(Collectors.joining(", "));
    fixture.run("UPDATE shop.pb_%s SET %s WHERE %s".formatted(table, set, which));
  }

  private static Stream<Arguments> targets() {
    return Stream.of(TestDatabase.values())
        .flatMap(
            database ->
                Stream.of(
                    Arguments.of(database, ErasureTarget.aggregate("Customer", MARKER)),
                    Arguments.of(database, ErasureTarget.dataSubject(MARKER))));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void nothingOfATargetStaysInAnyColumnOfAnyTable(TestDatabase database, ErasureTarget target)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fill(fixture);
    SortedSet<String> before = marked(fixture);
    assertThat(before)
        .contains(
            "pb_inbox_message.headers",
            "pb_inbox_stored.payload_bytes",
            "pb_inbox_stored.properties",
            "pb_inbox_stored.payload_text",
            "pb_inbox_key.ordering_key",
            "pb_inbox_failure.sealed_reason",
            "pb_inbox_failure.signature",
            "pb_inbox_result.effect",
            "pb_inbox_result.result",
            "pb_inbox_result.reply_to",
            "pb_inbox_aggregate.aggregate_id",
            "pb_inbox_discarded.aggregate_id",
            "pb_postbox_audit.subject",
            "pb_inbox_action.note",
            "pb_inbox_action.plan",
            "pb_inbox_action.progress")
        .hasSizeGreaterThan(27);
    List<String> ids = ids(fixture);
    List<String> others = others(fixture);
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(target, WHO);
    assertThat(marked(fixture)).as("a plan changes nothing").isEqualTo(before);
    assertThat(plan.places()).allMatch(found -> found.complete() && found.rows() > 0);
    OperatorAction started =
        actions.erasure().erase(plan.token().id(), WHO, "told by Customer/" + MARKER);
    run(actions);

    assertThat(actions.control().get(started.id()).orElseThrow())
        .returns(State.DONE, OperatorAction::state)
        .returns(plan.subject(), OperatorAction::subject);
    boolean byAggregate = target instanceof ErasureTarget.Aggregate;
    assertThat(marked(fixture))
        .isEqualTo(
            byAggregate
                ? Set.of()
                : Set.of( // the order of versions is the aggregate's
                    "pb_inbox_aggregate.aggregate_id", "pb_inbox_discarded.aggregate_id"));
    assertThat(ids(fixture)).as("ids").containsAll(ids);
    assertThat(others(fixture)).as("what is about others").isEqualTo(others);
    assertThat(
            fixture.column(
                "SELECT outcome FROM shop.pb_inbox_message WHERE message_id LIKE 'mine-%' AND"
                    + " headers LIKE '{\"erasedAt\":%' ORDER BY message_id"))
        .as("each is over")
        .hasSize(3 + 3 + 2 + 6)
        .doesNotContain("CAPTURED");
    assertThat(
            fixture.column(
                "SELECT message_id || ' ' || effect || result FROM shop.pb_inbox_result WHERE"
                    + " message_id LIKE 'mine-%'"))
        .as("of messages that are not done, so that they are not repeated")
        .containsExactly("mine-failing-1 pay");
    assertThat(
            fixture.column(
                "SELECT attempt || kind || reason FROM shop.pb_inbox_failure WHERE message_id LIKE"
                    + " 'mine-%'"))
        .containsExactly("1FAILED", "1FAILED", "1FAILED");
    Set<String> places = plan.places().stream().map(Found::place).collect(Collectors.toSet());
    assertThat(places)
        .contains("captured", "parked", "quarantined", "handled", "failures", "audit", "actions");
    assertThat(
            actions.erasure().report(started.id()).orElseThrow().places().stream()
                .collect(Collectors.toMap(Erased::place, Erased::rows)))
        .containsAllEntriesOf(
            plan.places().stream()
                .filter(
                    found -> Set.of("captured", "parked", "quarantined").contains(found.place()))
                .collect(Collectors.toMap(Found::place, Found::rows)));
    assertThat(actions.erasure().plan(target, WHO).rows()).isZero();
  }

  private static List<String> ids(KeptFixture fixture) {
    return fixture.column("SELECT consumer || message_id FROM shop.pb_inbox_message ORDER BY 1");
  }

  private static List<String> others(KeptFixture fixture) {
    return fixture.column(
        """
        SELECT message_id || headers || outcome FROM shop.pb_inbox_message WHERE message_id LIKE 'other%'
        UNION ALL SELECT message_id || status || error || payload_text FROM shop.pb_inbox_stored WHERE message_id LIKE 'other%'
        UNION ALL SELECT message_id || effect || result FROM shop.pb_inbox_result WHERE message_id LIKE 'other%'
        UNION ALL SELECT message_id || reason FROM shop.pb_inbox_failure WHERE message_id LIKE 'other%'
        UNION ALL SELECT aggregate_id || version FROM shop.pb_inbox_aggregate WHERE aggregate_id LIKE 'other%'
        UNION ALL SELECT ordering_key FROM shop.pb_inbox_key WHERE ordering_key LIKE 'other%'
        UNION ALL SELECT CAST(COUNT(*) AS VARCHAR) FROM shop.pb_inbox_stored WHERE status = 'QUARANTINED' AND payload_text LIKE 'body%'
        ORDER BY 1
        """);
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreErasedByTheirIds(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fill(fixture);
    List<String> ids =
        List.of(
            "mine-done-1",
            "mine-parked-1",
            "mine-held-1",
            "mine-placed-1",
            "mine-failing-1",
            "id-2");
    List<String> others = others(fixture);
    BackgroundActions actions = actions(fixture);
    erase(actions, ErasureTarget.messages(ids));
    assertThat(others(fixture).size()).isEqualTo(others.size());
    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_message WHERE headers LIKE '{\"erasedAt\":%'"
                    + " ORDER BY 1"))
        .containsExactly("mine-done-1", "mine-held-1", "mine-parked-1", "mine-placed-1");
    for (String id : ids) {
      assertThat(
              fixture.column(
                  "SELECT message_id FROM shop.pb_inbox_stored WHERE message_id = '%s'"
                      .formatted(id)))
          .isEmpty();
      assertThat(
              fixture.column(
                  "SELECT message_id FROM shop.pb_inbox_failure WHERE message_id = '%s' AND reason <> ''"
                      .formatted(id)))
          .isEmpty();
    }
    assertThat(actions.erasure().plan(ErasureTarget.messages(ids), WHO).rows()).isZero();

    MessageLife life = fixture.lookup(fixture.dataSource).life(Optional.empty(), "mine-parked-1");
    assertThat(life.events())
        .extracting(MessageLife.Event::kind)
        .contains(Kind.DISCARDED, Kind.ERASED);
    FoundMessage erased = life.rows().get(0);
    assertThat(erased.erasedAt()).isPresent();
    assertThat(erased.headers()).isEmpty();
  }

  /** With the headers that the reader of deliveries has written. */
  @ParameterizedTest
  @EnumSource
  void anAggregateIsFoundInHeadersWhateverItsCharacters(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    String aggregate = "Gr\u00f6\u00dfe \"7\" \\ \ud83d\ude00 100%_";
    for (String id : List.of(aggregate, aggregate + "x")) {
      fixture.handle(
          RequestReader.read(
              InboxRequest.of("shipping", UUID.randomUUID().toString())
                  .aggregate("T\"", id, 1)
                  .text("x"),
              fingerprint -> fingerprint));
    }
    erase(actions(fixture), ErasureTarget.aggregate("T\"", aggregate));
    assertThat(
            fixture.column(
                "SELECT headers FROM shop.pb_inbox_message WHERE headers LIKE '{\"erasedAt\":%'"))
        .hasSize(1);
  }

  /** One page looks at a hundred consumers at most. */
  @ParameterizedTest
  @EnumSource
  void anAggregateIsFoundHoweverManyConsumersThereAre(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_message
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome)
        SELECT 'c' || (1000 + i), 'm', 'shop', %s, 1,
          '{"OutboxAggregateId":"' || i || '","OutboxAggregateType":"T"}', 'PROCESSED'
        FROM %s n
        """
            .formatted(fixture.fingerprint(), fixture.numbers(250)));
    BackgroundActions actions = actions(fixture);
    ErasureTarget last = ErasureTarget.aggregate("T", "250");

    assertThat(actions.erasure().plan(last, WHO).rows()).isEqualTo(1);
    erase(actions, last);
    assertThat(actions.erasure().plan(last, WHO).rows()).isZero();
  }

  /** As by a discard: the next one of the key goes on, and versions are passed over. */
  @ParameterizedTest
  @EnumSource
  void messagesBehindAnErasedOneGoOn(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fill(fixture);
    BackgroundActions actions = actions(fixture);
    erase(actions, ErasureTarget.messages(List.of("other-head-1")));
    assertThat(
            fixture.column(
                "SELECT status FROM shop.pb_inbox_stored WHERE message_id = 'other-held-1'"))
        .containsExactly("PENDING");
    erase(actions, ErasureTarget.messages(List.of("other-held-1")));
    assertThat(
            fixture.column(
                "SELECT ordering_key FROM shop.pb_inbox_key WHERE ordering_key LIKE" + " 'other%'"))
        .isEmpty();
    assertThat(fixture.lets(0, 2)).isFalse();
    erase(actions, ErasureTarget.messages(List.of("other-version-1")));
    assertThat(fixture.lets(0, 2)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void versionsBehindAnErasedCapturedOneGoOn(TestDatabase database) throws SQLException {
    for (String status : List.of("PENDING", "DELAYED", "HELD")) {
      KeptFixture fixture = new KeptFixture(database);
      fixture.run(
          "INSERT INTO shop.pb_inbox_key (consumer, ordering_key) VALUES ('ordered'," + " 'k')");
      fixture.run(
          """
          INSERT INTO shop.pb_inbox_stored
            (consumer, message_id, status, captured, precedence, ordering_key, due_at, aggregate_type,
             aggregate_id, aggregate_version, fingerprint, fingerprint_version, headers, size,
             body_type, properties)
          VALUES ('ordered', 'x-2', '%s', TRUE, 5, 'k', CURRENT_TIMESTAMP, 'Order', 'x', 2, %s, 1, '{}',
            0, 'NONE', '{"headers":{},"properties":{}}')
          """
              .formatted(status, fixture.fingerprint()));
      fixture.run(
          """
          INSERT INTO shop.pb_inbox_aggregate
            (consumer, aggregate_type, aggregate_id, version, waiting_since)
          VALUES ('ordered', 'Order', 'x', 1, CURRENT_TIMESTAMP)
          """);
      fixture.park(
          TestDelivery.of("x-3").to("ordered").with(new Aggregate("Order", "x", 3)),
          ParkReason.EARLY);

      erase(actions(fixture), ErasureTarget.messages(List.of("x-2")));

      assertThat(
              fixture.column(
                  "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'HANDED_BACK'"))
          .as(status)
          .containsExactly("x-3");
      assertThat(fixture.column("SELECT version FROM shop.pb_inbox_discarded"))
          .containsExactly("2");
    }
  }

  /** It is neither kept aside nor captured. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatIsToBeRetriedIsErased(TestDatabase database) throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    for (boolean isOnItsWay : new boolean[] {false, true}) {
      String id = "on its way: " + isOnItsWay;
      for (ErasureTarget target :
          List.of(ErasureTarget.messages(List.of(id)), ErasureTarget.aggregate("Order", "x"))) {
        fixture.run("DELETE FROM shop.pb_inbox_message");
        fixture.delay(TestDelivery.of(id).with(new Aggregate("Order", "x", 2)), Duration.ZERO);
        if (isOnItsWay) {
          HandBack handBack = fixture.release(fixture.dataSource);
          handBack.handBack(handBack.due("shipping", 1).get(0));
        }

        erase(actions(fixture), target);

        assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_stored")).isEmpty();
        assertThat(fixture.column("SELECT message_id || ' ' || outcome FROM shop.pb_inbox_message"))
            .as("a copy is a duplicate")
            .containsExactly(id + " DISCARDED");
      }
    }
  }

  private void erase(BackgroundActions actions, ErasureTarget target) {
    actions.erasure().erase(actions.erasure().plan(target, WHO).token().id(), WHO, WHY);
    run(actions);
  }

  /** Another node goes on, and whatever was done is done once. */
  @Test
  void aNodeMayDieBetweenAnyTwoStatements() throws SQLException {
    aNodeDiesBetweenAnyTwoStatements(TestDatabase.H2);
  }

  @Test
  @Tag("full")
  void onPostgresqlANodeMayDieToo() throws SQLException {
    aNodeDiesBetweenAnyTwoStatements(TestDatabase.POSTGRESQL);
  }

  private void aNodeDiesBetweenAnyTwoStatements(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    boolean survived = false;
    int moments = 0;
    for (; !survived; moments++) {
      if (!Tenth.has(moments)) {
        continue;
      }
      fill(fixture);
      List<String> ids = ids(fixture);
      ErasurePlan plan =
          actions(fixture).erasure().plan(ErasureTarget.aggregate("Customer", MARKER), WHO);
      OperatorAction started = actions(fixture).erasure().erase(plan.token().id(), WHO, WHY);
      DyingNode mortal = new DyingNode(fixture.dataSource, moments);
      run(fixture.background(mortal.dataSource(), clock));
      survived = !mortal.isDead();
      BackgroundActions other = actions(fixture);
      run(other);

      OperatorAction done = other.control().get(started.id()).orElseThrow();
      assertThat(done.state()).as("after %s moments", moments).isEqualTo(State.DONE);
      assertThat(
              fixture.column("SELECT messages FROM shop.pb_postbox_audit WHERE action = 'erase'"))
          .containsExactly(String.valueOf(done.done()));
      assertThat(marked(fixture)).isEmpty();
      assertThat(ids(fixture)).containsAll(ids);
    }
    assertThat(moments).as("moments of one erasure").isGreaterThan(60);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsGoodForOneErasureOfWhatItShows(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fill(fixture);
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(ErasureTarget.aggregate("Customer", MARKER), WHO);
    assertThatThrownBy(() -> actions.erasure().erase(fixture.plan().token().id(), WHO, WHY))
        .as("a plan of parked messages")
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> actions.erasure().erase(plan.token().id(), "eve", WHY))
        .isInstanceOf(PlanRefusedException.class);
    handled(fixture, "late-", 1, "PROCESSED");
    mark(fixture, "inbox_message", "message_id = 'late-1'");
    actions.erasure().erase(plan.token().id(), WHO, WHY);
    assertThatThrownBy(() -> actions.erasure().erase(plan.token().id(), WHO, WHY))
        .isInstanceOf(PlanRefusedException.class);
    run(actions);
    assertThat(marked(fixture))
        .as("what came behind the plan")
        .containsExactly("pb_inbox_message.headers");
    assertThat(fixture.column("SELECT plan FROM shop.pb_inbox_action WHERE action = 'erase'"))
        .containsOnly("{}");
  }

  private static final int ROWS = Integer.getInteger("postbox.rows", 120_000);

  /** Each by an index; only what is handled, captured or quarantined about an aggregate is not. */
  @Test
  @Tag("full")
  void onPostgresqlAnErasureReadsIndexes() throws SQLException {
    KeptFixture fixture = new KeptFixture(TestDatabase.POSTGRESQL);
    handled(fixture, "m-", ROWS, "PROCESSED");
    fixture.park("shipping", "p-", ROWS / 20);
    fixture.quarantine("shipping", ROWS / 20);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason) SELECT 'shipping', 'f-' || i, 1, 'FAILED', 'x' FROM generate_series(1, %s) i"
            .formatted(ROWS / 20));
    fixture.run(
        "INSERT INTO shop.pb_inbox_stored (consumer, message_id, status, captured, precedence, fingerprint, fingerprint_version, headers, size, body_type, properties) SELECT 'shipping', 'c-' || i, 'PENDING', TRUE, 5, %s, 1, '{}', 0, 'TEXT', '{}' FROM generate_series(1, %s) i"
            .formatted(fixture.fingerprint(), ROWS / 20));
    Map<String, String> aggregates =
        Map.of("message", "message_id", "stored", "message_id", "failure", "message_id");
    for (Map.Entry<String, String> each : aggregates.entrySet()) {
      fixture.run(
          "UPDATE shop.pb_inbox_%s SET data_subject = 'digest ' || %s"
              .formatted(each.getKey(), each.getValue()));
      if (!each.getKey().equals("message")) {
        fixture.run(
            "UPDATE shop.pb_inbox_%s SET aggregate_type = 'Order', aggregate_id = %s"
                .formatted(each.getKey(), each.getValue()));
      }
      fixture.run("VACUUM ANALYZE shop.pb_inbox_" + each.getKey());
    }
    Map<ErasureTarget, Map<String, String>> expected =
        Map.of(
            ErasureTarget.dataSubject(MARKER),
            Map.of(
                "message", "message_subject_ix",
                "stored", "stored_subject_ix",
                "failure", "failure_subject_ix"),
            ErasureTarget.messages(List.of("x", "y")),
            Map.of(
                "message", "message_pk",
                "stored", "stored_message_",
                "failure", "failure_message_ix"),
            ErasureTarget.aggregate("Order", MARKER), // others have no more rows than a slice
            Map.of(
                "message", "message_pk",
                "failure", "failure_aggregate_ix"));
    expected.forEach(
        (target, indexes) -> {
          Explaining explaining = new Explaining(fixture.dataSource);
          fixture.background(explaining.dataSource(), clock).erasure().plan(target, WHO);
          if (target instanceof ErasureTarget.Aggregate) {
            assertThat(explaining.plans())
                .filteredOn(plan -> plan.contains("WHERE m.status IN ('EARLY',"))
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan).contains("pb_inbox_stored_aggregate_ix"));
          }
          indexes.forEach(
              (table, index) ->
                  assertThat(explaining.plans())
                      .filteredOn(plan -> !plan.startsWith("WITH RECURSIVE"))
                      .filteredOn(plan -> plan.contains("FROM shop.pb_inbox_" + table + " "))
                      .as("%s in %s", target, table)
                      .isNotEmpty()
                      .allSatisfy(
                          plan ->
                              assertThat(plan)
                                  .contains("pb_inbox_" + index)
                                  .doesNotContain("Seq Scan")));
        });
  }
}
