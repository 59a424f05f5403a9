package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasurePlan.Found;
import io.postbox.common.ErasureReport.Erased;
import io.postbox.common.ErasureTarget;
import io.postbox.common.LookupPage;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.testing.DyingNode;
import io.postbox.common.testing.MarkerSearch;
import io.postbox.common.testing.SettableClock;
import io.postbox.common.testing.Tenth;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ErasureStore;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows that are erased or stay, and the cost of finding them. */
class ErasureTest {
  private static final String WHO = DeadLetterFixture.WHO;
  private static final String WHY = "request 17";
  private static final String MARKER = "mUrKs-4711";
  private static final Pattern OURS = Pattern.compile("pb_.*");
  private static final String DIGEST =
      new DataSubjectKey(TestConfig.DATA_SUBJECT_SECRET).digest(MARKER);

  /** Columns that say nothing of a person; each other column has the marker. */
  private static final Set<String> NOT_PERSONAL =
      Set.of(
          "partition_no",
          "seq",
          "id",
          "destination",
          "event_type",
          "schema_version",
          "content_type",
          "status",
          "attempts",
          "due_at",
          "expires_at",
          "created_at",
          "sent_at",
          "erased_at",
          "row_bytes",
          "ended_at",
          "outcome",
          "message_id",
          "slot",
          "failure_no",
          "attempt",
          "dead",
          "node",
          "error_class",
          "frame",
          "failed_at");

  private final SettableClock clock = new SettableClock();
  private final Set<Lane> woken = new HashSet<>();

  private BackgroundActions actions(DeadLetterFixture fixture, DataSource dataSource) {
    return new BackgroundActions(
        new OutboxTables(fixture.database.dialect(), fixture.config, dataSource),
        Operator.KEY,
        false,
        woken::addAll,
        clock);
  }

  private BackgroundActions actions(DeadLetterFixture fixture) {
    return actions(fixture, fixture.counting.dataSource());
  }

  private void run(BackgroundActions node) {
    clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
  }

  private static SortedSet<String> marked(DeadLetterFixture fixture) throws SQLException {
    return MarkerSearch.in(fixture.counting.dataSource(), MARKER, OURS);
  }

  /** Messages of somebody and of others, in each state and place. */
  private static void fill(DeadLetterFixture fixture) {
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message");
    fixture.rows.execute("DELETE FROM shop.pb_outbox_archive");
    fixture.rows.execute("DELETE FROM shop.pb_outbox_held_key");
    fixture.rows.execute("DELETE FROM shop.pb_outbox_failure");
    fixture.rows.execute("DELETE FROM shop.pb_postbox_audit");
    fixture.rows.execute("DELETE FROM shop.pb_outbox_action");
    for (String status : List.of("SENT", "DEAD", "DELAYED", "HELD", "PENDING")) {
      fixture.insert(status, 4, "d", "CASE WHEN MOD(i, 2) = 0 THEN 'k' || i END");
      newIds(fixture);
      if (status.equals("SENT")) {
        archive(fixture, "SENT");
        fixture.sent(4, "CURRENT_TIMESTAMP");
        newIds(fixture);
      }
    }
    fixture.insert("DEAD", 2, "e", "'gone'");
    newIds(fixture);
    archive(fixture, "DEAD");
    fixture.insert("DEAD", 4, "d", "'k' || i");
    newIds(fixture);
    for (String table : List.of("outbox_message", "outbox_archive")) {
      mark(fixture, table, "MOD(seq, 4) < 2");
      failures(fixture, table);
    }
    // the histories of messages that were deleted when they were sent
    failures(fixture, "outbox_archive", "CAST(LPAD(CAST(seq AS VARCHAR), 32, 'f') AS UUID)");
    mark(fixture, "outbox_failure", "aggregate_id = '" + MARKER + "'");
    fixture.rows.execute(
        "INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id) SELECT partition_no, destination, ordering_key, MIN(CAST(id AS VARCHAR)) FROM shop.pb_outbox_message WHERE status IN ('DELAYED') AND ordering_key IS NOT NULL GROUP BY partition_no, destination, ordering_key"
            .replace("MIN(CAST(id AS VARCHAR))", "CAST(MIN(CAST(id AS VARCHAR)) AS UUID)"));
    record(fixture, "aggregate-type=Customer, aggregate-id=" + MARKER, WHY);
    record(fixture, "ordering-key=Customer/" + MARKER + " as of now", "for Customer/" + MARKER);
    // paused when its subject was erased, and over since, in an older version
    action(fixture, "DONE", "dead letters [erased]", "{\"aggregateId\":\"" + MARKER + "\"}", "");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_action SET note = 'stopped by Customer/%1$s', progress = '{\"refused.7\":\"at%%3ACustomer%%2F%1$s\"}' WHERE subject LIKE '%%%1$s%%'"
            .formatted(MARKER));
  }

  private static void newIds(DeadLetterFixture fixture) {
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET id = %s WHERE CAST(id AS VARCHAR) LIKE '00000000-%%'"
            .formatted(
                fixture.database == TestDatabase.H2 ? "RANDOM_UUID()" : "gen_random_uuid()"));
  }

  private static void record(DeadLetterFixture fixture, String subject, String reason) {
    fixture.rows.execute(
        "INSERT INTO shop.pb_postbox_audit (id, module, service, action, principal, reason, subject, messages) VALUES ('%s', 'outbox', 'shop', 'redrive', 'bob', '%s', 'dead letters %s', 1)"
            .formatted(UUID.randomUUID(), reason, subject));
    action(fixture, "DONE", "dead letters " + subject, "{\"x\":\"" + subject + "\"}", reason);
  }

  private static void action(
      DeadLetterFixture fixture, String state, String subject, String plan, String reason) {
    fixture.rows.execute(
        "INSERT INTO shop.pb_outbox_action (id, action, state, principal, reason, subject, total, plan, progress) VALUES ('%s', 'redrive', '%s', 'bob', '%s', '%s', 1, '%s', '')"
            .formatted(UUID.randomUUID(), state, reason, subject, plan));
  }

  private static void archive(DeadLetterFixture fixture, String status) {
    String columns =
        "seq, partition_no, id, destination, ordering_key, aggregate_type, aggregate_id,"
            + " event_type, content_type, payload_text, headers, attempts, created_at";
    fixture.rows.execute(
        "INSERT INTO shop.pb_outbox_archive (outcome, %s) SELECT '%s', %s FROM shop.pb_outbox_message WHERE status = '%s'"
            .formatted(columns, status.equals("SENT") ? "SENT" : "DISCARDED", columns, status));
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status = '" + status + "'");
  }

  private static void failures(DeadLetterFixture fixture, String of) {
    failures(fixture, of, "id");
  }

  private static void failures(DeadLetterFixture fixture, String of, String id) {
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_failure
          (message_id, slot, failure_no, destination, attempt, dead, node, error_class, frame,
           error, signature, aggregate_type, aggregate_id, data_subject)
        SELECT %s, 0, 1, destination, 1, FALSE, 'n', 'c', 'f', 'e ' || aggregate_id, 's',
          aggregate_type, aggregate_id, data_subject
        FROM shop.pb_%s
        """
            .formatted(id, of));
  }

  /** Every second row is about somebody, in whichever columns there are. */
  private static void mark(DeadLetterFixture fixture, String table, String which) {
    List<String> columns =
        fixture.column(
            "SELECT column_name FROM information_schema.columns WHERE table_name IN ('pb_%s', 'PB_%s')"
                .formatted(table, table.toUpperCase(Locale.ROOT)));
    String set =
        columns.stream()
            .map(column -> column.toLowerCase(Locale.ROOT))
            .filter(column -> !NOT_PERSONAL.contains(column))
            .map(
                column ->
                    column
                        + " = "
                        + switch (column) {
                          case "aggregate_type" -> "'Customer'";
                          case "aggregate_id" -> "'" + MARKER + "'";
                          case "data_subject" -> "'" + DIGEST + "'";
                          case "headers" -> "'{\"correlationId\":\"" + MARKER + "\"}'";
                          case "payload_bytes", "payload_sha256" ->
                              fixture.database == TestDatabase.H2
                                  ? "STRINGTOUTF8('" + MARKER + "')"
                                  : "CAST('" + MARKER + "' AS BYTEA)";
                          case "ordering_key" ->
                              "CASE WHEN ordering_key IS NOT NULL THEN '" + MARKER + "' END";
                          default -> "'of " + MARKER + "'";
                        })
            .collect(Collectors.joining(", "));
    fixture.rows.execute("UPDATE shop.pb_%s SET %s WHERE %s".formatted(table, set, which));
  }

  private static Stream<Arguments> targets() {
    return Stream.of(TestDatabase.values())
        .flatMap(
            database ->
                Stream.of(
                    Arguments.of(database, ErasureTarget.aggregate("Customer", MARKER)),
                    Arguments.of(database, ErasureTarget.dataSubject(MARKER))));
  }

  /** One that is released while the pending ones are searched, into a lane that is passed. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatMovesOnWhileItsAggregateIsSearchedIsFound(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1, "z", "CAST(NULL AS VARCHAR)");
    fixture.insert("HELD", 1, "a", "'k'");
    ErasureQuery query =
        new ErasureQuery(
            ErasureTarget.aggregate("Order", "1"), "", Instant.now().plus(Duration.ofDays(1)));
    ErasurePlace<?> waiting =
        new ErasureStore(database.dialect(), fixture.config.tables())
            .places(query, lane -> {})
            .get(0);
    Set<Object> found = new HashSet<>();
    try (Connection connection = fixture.counting.dataSource().getConnection()) {
      Optional<String> after = Optional.of("");
      while (after.isPresent()) {
        LookupPage<? extends ErasurePlace.Candidate<?>> page =
            waiting.page(connection, after.get(), 1);
        page.items().forEach(candidate -> found.add(candidate.row()));
        after = page.next();
        fixture.rows.execute(
            "UPDATE shop.pb_outbox_message SET status = 'PENDING' WHERE status = 'HELD'");
      }
    }
    assertThat(found).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void nothingOfATargetStaysInAnyColumnOfAnyTable(TestDatabase database, ErasureTarget target)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fill(fixture);
    SortedSet<String> before = marked(fixture);
    assertThat(before)
        .contains(
            "pb_outbox_message.payload_text",
            "pb_outbox_message.payload_bytes",
            "pb_outbox_archive.headers",
            "pb_outbox_failure.error",
            "pb_outbox_failure.signature",
            "pb_outbox_held_key.ordering_key",
            "pb_postbox_audit.subject",
            "pb_outbox_action.note",
            "pb_outbox_action.plan",
            "pb_outbox_action.progress")
        .hasSizeGreaterThan(25);
    List<String> others = others(fixture);
    List<String> ids = ids(fixture);
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(target, WHO);
    assertThat(marked(fixture)).as("a plan changes nothing").isEqualTo(before);
    assertThat(plan.subject()).doesNotContainIgnoringCase(MARKER).contains("digest");
    OperatorAction started =
        actions.erasure().erase(plan.token().id(), WHO, "told by Customer/" + MARKER);
    run(actions);

    assertThat(actions.control().get(started.id()).orElseThrow())
        .returns(State.DONE, OperatorAction::state)
        .returns("erase", OperatorAction::kind)
        .returns(plan.subject(), OperatorAction::subject)
        .returns(plan.rows() + 2, OperatorAction::done) // and its own records
        .returns(plan.rows() + 2, OperatorAction::total);
    assertThat(marked(fixture)).isEmpty();
    assertThat(others(fixture)).as("what is about others").isEqualTo(others);
    assertThat(ids(fixture)).as("ids").isEqualTo(ids);
    assertThat(
            fixture.column(
                "SELECT COUNT(*) FROM shop.pb_outbox_message WHERE status <> 'SENT' AND"
                    + " (aggregate_id IS NULL OR payload_text IS NULL)"))
        .as("that would be sent empty")
        .containsExactly("0");
    Map<String, Long> planned =
        plan.places().stream().collect(Collectors.toMap(Found::place, Found::rows));
    assertThat(planned.keySet())
        .containsExactlyInAnyOrder(
            "waiting", "dead-letters", "sent", "archive", "failures", "audit", "actions");
    assertThat(planned.values()).allMatch(rows -> rows > 0);
    planned.merge("audit", 1L, Long::sum);
    planned.merge("actions", 1L, Long::sum);
    assertThat(
            actions.erasure().report(started.id()).orElseThrow().places().stream()
                .collect(Collectors.toMap(Erased::place, Erased::rows)))
        .isEqualTo(planned);
    assertThat(woken).isNotEmpty();
    assertThat(actions.erasure().plan(target, WHO).rows()).isZero();
    assertThat(actions.erasure().plan(target, WHO).subject()).isEqualTo(plan.subject());
  }

  private static List<String> others(DeadLetterFixture fixture) {
    return fixture.column(
        """
        SELECT id || status || aggregate_id || headers || payload_text || last_error
        FROM shop.pb_outbox_message WHERE aggregate_id <> '%1$s' AND status <> 'HELD'
        UNION ALL SELECT id || outcome || aggregate_id || headers || payload_text
        FROM shop.pb_outbox_archive WHERE aggregate_id <> '%1$s'
        UNION ALL SELECT message_id || error FROM shop.pb_outbox_failure WHERE aggregate_id <> '%1$s'
        ORDER BY 1
        """
            .formatted(MARKER));
  }

  private static List<String> ids(DeadLetterFixture fixture) {
    return fixture.column(
        "SELECT id FROM shop.pb_outbox_message UNION ALL SELECT id FROM shop.pb_outbox_archive"
            + " ORDER BY 1");
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreErasedByTheirIdsWithTheCopiesThatOperatorsMade(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fill(fixture);
    String edited =
        fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status = 'DEAD'").get(0);
    UUID original = UUID.randomUUID();
    fixture.rows.execute(
        "INSERT INTO shop.pb_postbox_audit (id, module, service, action, principal, reason, subject, messages) VALUES ('%s', 'outbox', 'shop', 'edit', 'bob', 'x', 'message %s as %s: MessageEdit[]', 1)"
            .formatted(UUID.randomUUID(), original, edited));
    List<String> ids =
        Stream.concat(
                Stream.of(original.toString()),
                fixture
                    .column(
                        "SELECT id FROM shop.pb_outbox_message WHERE MOD(seq, 3) = 0 UNION ALL"
                            + " SELECT id FROM shop.pb_outbox_archive WHERE MOD(seq, 3) = 0")
                    .stream())
            .toList();
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(ErasureTarget.messages(ids), WHO);
    assertThat(plan.target().toString()).contains(edited).contains(ids.get(1));
    actions.erasure().erase(plan.token().id(), WHO, WHY);
    run(actions);

    Set<String> all = new HashSet<>(ids);
    all.add(edited);
    assertThat(
            fixture.column(
                "SELECT id FROM shop.pb_outbox_archive WHERE erased_at IS NOT NULL UNION ALL SELECT"
                    + " id FROM shop.pb_outbox_message WHERE erased_at IS NOT NULL"))
        .hasSize(all.size() - 1)
        .allMatch(all::contains);
    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_outbox_failure WHERE error = '[erased]'"))
        .isNotEmpty()
        .allMatch(all::contains);
    assertThat(actions.erasure().plan(ErasureTarget.messages(ids), WHO).rows()).isZero();
    assertThatThrownBy(() -> actions.erasure().plan(ErasureTarget.messages(List.of("x")), WHO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'x' is no id of the outbox's messages, which are UUIDs in canonical form; nothing was"
                + " changed.");
  }

  /** Another node goes on, and whatever was done is done once. */
  @ParameterizedTest
  @EnumSource
  void aNodeMayDieBetweenAnyTwoStatements(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    boolean survived = false;
    int moments = 0;
    for (; !survived; moments++) {
      if (!Tenth.has(moments)) {
        continue;
      }
      fill(fixture);
      List<String> ids = ids(fixture);
      ErasurePlan plan = actions(fixture).erasure().plan(ErasureTarget.dataSubject(MARKER), WHO);
      OperatorAction started = actions(fixture).erasure().erase(plan.token().id(), WHO, WHY);
      DyingNode mortal = new DyingNode(fixture.counting.dataSource(), moments);
      run(actions(fixture, mortal.dataSource()));
      survived = !mortal.isDead();
      BackgroundActions other = actions(fixture);
      run(other);

      assertThat(other.control().get(started.id()).orElseThrow())
          .as("after %s moments", moments)
          .returns(State.DONE, OperatorAction::state)
          .returns(plan.rows(), OperatorAction::done);
      assertThat(
              fixture.column("SELECT messages FROM shop.pb_postbox_audit WHERE action = 'erase'"))
          .containsExactly(String.valueOf(plan.rows()));
      assertThat(marked(fixture)).isEmpty();
      assertThat(ids(fixture)).isEqualTo(ids);
    }
    assertThat(moments).as("moments of one erasure").isGreaterThan(60);
  }

  /** As by a discard: those behind it go on in their order, and it is not among them. */
  @ParameterizedTest
  @EnumSource
  void messagesBehindAnErasedOneGoOn(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 1, "d", "'k'");
    fixture.insert("HELD", 3, "d", "'k'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    List<String> ids = fixture.column("SELECT id FROM shop.pb_outbox_message ORDER BY seq");
    mark(fixture, "outbox_failure", "aggregate_id = '" + MARKER + "'");
    fixture.rows.execute(
        "INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id) VALUES (1, 'd', 'k', '%s')"
            .formatted(ids.get(0)));
    BackgroundActions actions = actions(fixture);
    erase(actions, ErasureTarget.messages(List.of(ids.get(2))));
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .as("one that waits")
        .containsExactly("DEAD", "HELD", "HELD");
    erase(actions, ErasureTarget.messages(List.of(ids.get(0))));
    assertThat(fixture.column("SELECT id || status FROM shop.pb_outbox_message ORDER BY seq"))
        .as("the head")
        .containsExactly(ids.get(1) + "PENDING", ids.get(3) + "PENDING");
    assertThat(fixture.rows.count("outbox_held_key")).isZero();
    assertThat(woken).containsExactly(new Lane(1, "d"));

    MessageLife life =
        new LookupQueries(
                database.dialect(),
                DeadLetterFixture.calls(fixture.counting.dataSource()),
                fixture.config,
                StoredErrors.CLEAR)
            .life(UUID.fromString(ids.get(0)));
    assertThat(life.events())
        .extracting(MessageLife.Event::kind)
        .containsExactly(Kind.ENQUEUED, Kind.DISCARDED, Kind.ERASED);
    FoundMessage erased = life.message().orElseThrow();
    assertThat(erased.erasedAt()).isPresent();
    assertThat(erased.aggregateId()).isEmpty();
    assertThat(erased.orderingKey()).isEmpty();
    assertThat(erased.lastError()).isEmpty();
    assertThat(
            new Resend(
                    new OutboxTables(
                        database.dialect(), fixture.config, fixture.counting.dataSource()))
                .resend(Optional.empty(), erased.id(), erased.id(), WHO, WHY))
        .as("a resend of an erased message")
        .isEmpty();
  }

  private void erase(BackgroundActions actions, ErasureTarget target) {
    actions.erasure().erase(actions.erasure().plan(target, WHO).token().id(), WHO, WHY);
    run(actions);
  }

  /** An application may say that it has erased somebody, in a message about somebody. */
  /** Whatever characters a key has, which the row of a plan may have in another form. */
  @ParameterizedTest
  @EnumSource
  void whatNamesTheTargetGoesFromAPlanThatNobodyCarriesOut(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    BackgroundActions actions = actions(fixture);
    ErasureTarget target = ErasureTarget.aggregate("Order", "Ada & S\u00f6hne/7");
    fixture.plan(DeadLetterFilter.all().orderedBy("Ada & S\u00f6hne/7"));
    fixture.plan(DeadLetterFilter.all().orderedBy("Ada & S\u00f6hne/77"));

    erase(actions, target);
    assertThat(
            fixture.column(
                "SELECT plan FROM shop.pb_outbox_action WHERE state = 'PLANNED' ORDER BY plan"))
        .hasSize(2)
        .satisfiesExactly(
            other -> assertThat(other).contains("hne%2F77"),
            erased -> assertThat(erased).isEqualTo("{}"));
  }

  @ParameterizedTest
  @EnumSource
  void messagesEnqueuedAfterThePlanStay(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 16, "d", "'k' || i");
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(ErasureTarget.aggregate("Order", 7), WHO);
    assertThat(plan.rows()).isOne();
    fixture.insert("PENDING", 16, "d", "'k' || i");
    actions.erasure().erase(plan.token().id(), WHO, WHY);
    run(actions);
    assertThat(fixture.count("aggregate_id = '7'")).isOne();
    assertThat(fixture.count()).isEqualTo(31);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsGoodForOneErasureOfWhatItShows(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(16, "d");
    BackgroundActions actions = actions(fixture);
    ErasurePlan plan = actions.erasure().plan(ErasureTarget.aggregate("Order", 7), WHO);
    assertThatThrownBy(() -> actions.erasure().erase(fixture.plan().token().id(), WHO, WHY))
        .as("a plan of dead letters")
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> actions.erasure().erase(plan.token().id(), "eve", WHY))
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> actions.erasure().erase(plan.token().id(), WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    OperatorAction started = actions.erasure().erase(plan.token().id(), WHO, WHY);
    assertThatThrownBy(() -> actions.erasure().erase(plan.token().id(), WHO, WHY))
        .isInstanceOf(PlanRefusedException.class);
    String ofIt = "SELECT plan FROM shop.pb_outbox_action WHERE action = 'erase'";
    assertThat(fixture.column(ofIt).get(0)).contains("Order");
    run(actions);
    assertThat(fixture.column(ofIt)).containsExactly("{}");
    assertThat(actions.erasure().report(started.id()).orElseThrow().places())
        .containsExactly(new Erased("dead-letters", 1));
    assertThat(actions.erasure().report(UUID.randomUUID())).isEmpty();
    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit").get(0))
        .startsWith("an aggregate of the type Order, digest ");
  }

  /** Where a key is part of another one, or a short one could be anything. */
  @ParameterizedTest
  @EnumSource
  void recordsAboutOthersStay(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    List<String> others =
        List.of("aggregate-id=47119", "ordering-key=Customer/4711-2", "signature=4711", "at 4711");
    others.forEach(subject -> record(fixture, subject, WHY));
    record(fixture, "aggregate-type=Customer, aggregate-id=4711", WHY);
    BackgroundActions actions = actions(fixture);
    erase(actions, ErasureTarget.dataSubject("4711"));
    erase(actions, ErasureTarget.aggregate("Customer", 4711));
    for (String table : List.of("postbox_audit", "outbox_action")) {
      assertThat(
              fixture.column(
                  "SELECT subject FROM shop.pb_%s WHERE action = 'redrive'".formatted(table)))
          .containsExactlyInAnyOrder(
              Stream.concat(
                      others.stream(), Stream.of("aggregate-type=Customer, aggregate-id=[erased]"))
                  .map("dead letters "::concat)
                  .toArray(String[]::new));
    }
  }

  /** Words of others in its reason do not keep an erasure going for ever. */
  @ParameterizedTest
  @EnumSource
  void aCancelledErasureForgetsItsTargetAndKeepsItsCounts(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    BackgroundActions actions = actions(fixture);
    ErasureTarget target = ErasureTarget.aggregate("Customer", 4711);
    OperatorAction cancelled =
        actions
            .erasure()
            .erase(actions.erasure().plan(target, WHO).token().id(), WHO, "for Customer/47119");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_action SET note = 'of 4711', progress ="
            + " '{\"place\":\"3\",\"after\":\"of+4711\",\"found\":\"true\",\"erased.archive\":\"2\"}'");
    assertThat(fixture.column("SELECT plan FROM shop.pb_outbox_action").get(0)).contains("4711");
    actions.control().cancel(cancelled.id(), WHO, WHY);
    assertThat(
            fixture.column(
                "SELECT plan || progress || COALESCE(note, '') FROM shop.pb_outbox_action"))
        .singleElement()
        .asString()
        .doesNotContain("4711");
    assertThat(actions.erasure().report(cancelled.id()).orElseThrow().places())
        .containsExactly(new Erased("archive", 2));

    OperatorAction next =
        actions
            .erasure()
            .erase(actions.erasure().plan(target, WHO).token().id(), WHO, "for Customer/47119");
    run(actions);
    assertThat(actions.control().get(next.id()).orElseThrow().state()).isEqualTo(State.DONE);
    assertThat(fixture.column("SELECT plan FROM shop.pb_outbox_action")).containsOnly("{}");
  }

  /** Its row says nothing of the person any more that would lead another erasure to it. */
  @ParameterizedTest
  @EnumSource(names = {"PAUSED", "FAILED"})
  void anActionThatCouldGoOnForgetsItsPlanWhenItIsCancelled(State stopped) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    BackgroundActions actions = actions(fixture);
    action(
        fixture,
        stopped.name(),
        "dead letters as of now: aggregate-type=Customer, aggregate-id=" + MARKER,
        "{\"filter\":{\"aggregateType\":\"Customer\",\"aggregateId\":\"" + MARKER + "\"}}",
        WHY);
    erase(actions, ErasureTarget.dataSubject(MARKER));
    assertThat(marked(fixture)).as("it can go on").containsExactly("pb_outbox_action.plan");
    UUID id =
        UUID.fromString(
            fixture.column("SELECT id FROM shop.pb_outbox_action WHERE action = 'redrive'").get(0));
    actions.control().cancel(id, WHO, WHY);
    assertThat(marked(fixture)).isEmpty();
  }

  private static final int ROWS = Integer.getInteger("postbox.rows", 120_000);

  private static Stream<Arguments> costs() {
    return Stream.of("", "SET plan_cache_mode = force_generic_plan")
        .flatMap(
            settings ->
                Stream.of(
                    Arguments.of(settings, ErasureTarget.dataSubject(MARKER), 400),
                    Arguments.of(settings, ErasureTarget.messages(List.of(UUID.randomUUID())), 100),
                    Arguments.of(settings, ErasureTarget.aggregate("Order", MARKER), 30_000)));
  }

  /**
   * Each place by an index; only pending messages about an aggregate are read through, in slices.
   * -Dpostbox.rows=1000000 tries it among so many.
   */
  @Test
  @Tag("full")
  void onPostgresqlAnErasureReadsIndexesAndABoundedNumberOfPages() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.sent(ROWS / 6, "CURRENT_TIMESTAMP - i * INTERVAL '1 second'");
    archive(fixture, "SENT");
    fixture.sent(ROWS / 6, "CURRENT_TIMESTAMP - i * INTERVAL '1 second'");
    fixture.insert("PENDING", ROWS / 3, "d", "'k' || i");
    fixture.insert("HELD", ROWS / 6, "d", "'k' || MOD(i, 100)");
    fixture.insert("DEAD", ROWS / 6, "d", "'k' || i");
    failures(fixture, "outbox_message");
    for (String table : List.of("outbox_message", "outbox_archive", "outbox_failure")) {
      fixture.rows.execute(
          "UPDATE shop.pb_%s SET data_subject = 'digest ' || aggregate_id".formatted(table));
      fixture.rows.execute("VACUUM ANALYZE shop.pb_" + table);
    }
    costs()
        .forEach(
            each -> {
              PlanRecorder recorder =
                  new PlanRecorder(fixture.counting.dataSource(), (String) each.get()[0]);
              ErasureTarget target = (ErasureTarget) each.get()[1];
              BackgroundActions actions = actions(fixture, recorder.dataSource());
              ErasurePlan plan = actions.erasure().plan(target, WHO);
              assertThat(plan.places()).allMatch(Found::complete);
              actions.erasure().erase(plan.token().id(), WHO, WHY);
              run(actions);
              List<Execution> executions = recorder.take();
              assertThat(executions).as("%s", target).isNotEmpty();
              for (Execution execution : executions) {
                assertThat(execution.steps())
                    .as("%s: %s", target, execution.sql())
                    .noneMatch(
                        step ->
                            step.startsWith("Seq Scan pb_outbox_m")
                                || step.startsWith("Seq Scan pb_outbox_a")
                                    && !step.contains("pb_outbox_action")
                                || step.startsWith("Seq Scan pb_outbox_f"));
                assertThat(execution.pages())
                    .as("%s: %s", target, execution)
                    .isLessThan((Integer) each.get()[2]);
              }
            });
  }
}
