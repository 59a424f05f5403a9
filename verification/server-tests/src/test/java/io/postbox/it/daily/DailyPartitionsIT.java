package io.postbox.it.daily;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.Page;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * One story: messages of some days come, time passes while the application is away, and old days go
 * as a whole. Days are those of the test's clock, which is the database's.
 */
@ArquillianTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DailyPartitionsIT {
  private static final String SERVICE = "daily";
  private static final String QUEUE = "jms/daily";
  private static final String TABLE = "daily_inbox_message_";
  private static final int RETENTION_DAYS = 2;
  private static final int AHEAD = 7;
  private static final int OLD = 30;

  @Inject QuarantinedMessages quarantined;
  @Inject InboxStatistics statistics;

  @ArquillianResource Deployer deployer;

  @Deployment(name = SERVICE, managed = false)
  static EnterpriseArchive application() {
    return Archives.ear(
        DailyPartitionsIT.class,
        SERVICE,
        Archives.settings(
            SERVICE,
            "postbox.outbox.data-source",
            "jdbc/pg",
            "postbox.inbox.data-source",
            "jdbc/pg",
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.table-partitioning",
            "daily",
            "postbox.inbox.retention",
            RETENTION_DAYS + "d"));
  }

  @Test
  @Order(1)
  @RunAsClient
  void theApplicationComes() {
    deployer.deploy(SERVICE);
  }

  @Test
  @Order(2)
  @OperateOnDeployment(SERVICE)
  void messagesAreHandledOnceAndLieInTheTableOfTheirDay() {
    database().run("CREATE TABLE daily_effect (text VARCHAR(200))");
    assertThat(days()).containsExactlyElementsOf(tables(-RETENTION_DAYS, AHEAD));
    List<UUID> ids = IntStream.rangeClosed(-RETENTION_DAYS, 0).mapToObj(day -> id(day)).toList();
    for (UUID id : ids) {
      Broker.send(QUEUE, id, id.toString(), 2);
    }

    eventually(() -> assertThat(skipped()).isEqualTo(ids.size()));
    assertThat(effects()).containsExactlyInAnyOrderElementsOf(texts(ids));
    for (int day = -RETENTION_DAYS; day <= 0; day++) {
      assertThat(database().column("SELECT message_id FROM " + table(day)))
          .containsExactly(ids.get(day + RETENTION_DAYS).toString());
    }
  }

  @Test
  @Order(3)
  @OperateOnDeployment(SERVICE)
  void aMessageWithoutADayIsQuarantinedAndNotHandled() {
    long before = database().count("daily_effect");
    UUID old = id(-OLD);
    UUID future = id(AHEAD + 3);
    UUID timeless = UUID.randomUUID();
    for (UUID id : List.of(old, future, timeless)) {
      Broker.send(QUEUE, id, "of no day", 1);
    }

    eventually(
        () ->
            assertThat(quarantined.find(KeptFilter.all(), Page.first(10)))
                .extracting(it -> it.messageId().orElseThrow(), KeptMessage::reason)
                .containsExactlyInAnyOrder(
                    tuple(old.toString(), "TOO_OLD"),
                    tuple(future.toString(), "NOT_TIME_ORDERED"),
                    tuple(timeless.toString(), "NOT_TIME_ORDERED")));
    assertThat(database().count("daily_effect")).isEqualTo(before);
  }

  /** A table of long ago with a row, and nobody on record who was away. */
  @Test
  @Order(4)
  @OperateOnDeployment(SERVICE)
  void timePasses() {
    eventually(() -> assertThat(database().run("DELETE FROM daily_inbox_outage")).isOne());
    database()
        .run("CREATE TABLE %s (LIKE daily_inbox_message INCLUDING ALL)".formatted(table(-OLD)));
    database()
        .run(
            "ALTER TABLE daily_inbox_message ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
                .formatted(table(-OLD), firstId(-OLD), firstId(-OLD + 1)));
    database()
        .run(
            """
            INSERT INTO daily_inbox_message
              (consumer, message_id, fingerprint, fingerprint_version, headers)
            VALUES ('daily', ?, ?, 1, '{}')
            """,
            id(-OLD).toString(),
            new byte[32]);
    assertThat(database().count(table(-OLD))).isOne();
    // more than a round of housekeeping deletes, so that the next one comes after a second
    database()
        .run(
            """
            INSERT INTO daily_postbox_audit
              (id, at, module, service, action, principal, reason, subject, messages)
            SELECT gen_random_uuid(), now() - INTERVAL '500 days', 'inbox', 'daily', 'discard',
              'nobody', 'long ago', 'some', 1
            FROM generate_series(1, 60000)
            """);
  }

  @Test
  @Order(5)
  @RunAsClient
  void itGoesAndComesBack() {
    deployer.undeploy(SERVICE);
    deployer.deploy(SERVICE);
  }

  @Test
  @Order(6)
  @OperateOnDeployment(SERVICE)
  void oldDaysAreDroppedAsAWholeAndTheirIdsRefused() {
    eventually(
        () ->
            assertThat(
                    database()
                        .column(
                            "SELECT tablename FROM pg_tables WHERE tablename LIKE ?", TABLE + "%"))
                .containsExactlyInAnyOrderElementsOf(tables(-RETENTION_DAYS - 1, AHEAD)));
    long before = quarantined.plan(KeptFilter.all().reason("TOO_OLD")).messages();

    UUID old = id(-OLD);
    Broker.send(QUEUE, old, "dropped", 1);
    UUID young = id(-1);
    Broker.send(QUEUE, young, young.toString(), 1);

    eventually(
        () ->
            assertThat(quarantined.plan(KeptFilter.all().reason("TOO_OLD")).messages())
                .isEqualTo(before + 1));
    eventually(() -> assertThat(effects()).contains(young.toString()));
    assertThat(effects()).doesNotContain("dropped");
  }

  @Test
  @Order(7)
  @OperateOnDeployment(SERVICE)
  void theTablesOfTheNextDaysAreMadeWhileItRuns() {
    database().run("DROP TABLE " + table(AHEAD));

    eventually(() -> assertThat(days()).contains(table(AHEAD)));
  }

  @Test
  @Order(8)
  @RunAsClient
  void theApplicationGoes() {
    deployer.undeploy(SERVICE);
  }

  private static Database database() {
    return Database.at("jdbc/pg");
  }

  private static List<String> effects() {
    return database().column("SELECT text FROM daily_effect");
  }

  private static List<String> texts(List<UUID> ids) {
    return ids.stream().map(UUID::toString).toList();
  }

  /** The tables that take rows, from the oldest day on. */
  private static List<String> days() {
    return database()
        .column(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'daily_inbox_message'::regclass
            ORDER BY c.relname
            """);
  }

  private static List<String> tables(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(DailyPartitionsIT::table).toList();
  }

  private static String table(int daysFromNow) {
    return TABLE + DateTimeFormatter.BASIC_ISO_DATE.format(date(daysFromNow));
  }

  private static LocalDate date(int daysFromNow) {
    return LocalDate.now(ZoneOffset.UTC).plusDays(daysFromNow);
  }

  private static String firstId(int daysFromNow) {
    long millis = date(daysFromNow).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    String hex = String.format(Locale.ROOT, "%012x", millis);
    return hex.substring(0, 8) + "-" + hex.substring(8);
  }

  /** A UUID of version 7. */
  private static UUID id(int daysFromNow) {
    long millis = Instant.now().plus(Duration.ofDays(daysFromNow)).toEpochMilli();
    Random random = new Random();
    return new UUID(
        millis << 16 | 0x7000 | random.nextInt(0x1000), Long.MIN_VALUE | random.nextLong() >>> 2);
  }

  private long skipped() {
    return statistics.byConsumer().stream()
        .filter(each -> each.consumer().equals("daily"))
        .mapToLong(ConsumerStatistics::skipped)
        .sum();
  }
}
