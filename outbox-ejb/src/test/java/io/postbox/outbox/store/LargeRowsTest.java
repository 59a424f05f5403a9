package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.lane;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How much one read can bring from the database, whatever waits there. Counted is all that the
 * statement answers with, for a driver may hold any part of it.
 */
class LargeRowsTest {
  private static final int LARGEST_BATCH = 1 << 20;

  /** Sixteen would fit if they had no headers. */
  private static final int LARGE = LARGEST_BATCH / 16;

  private long rows;
  private long octets;

  @ParameterizedTest
  @EnumSource
  void payloadsAreBoundedBeforeTheyAreBrought(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    insert(store, IntStream.range(0, 20).mapToObj(i -> text("x".repeat(LARGE), "{}")).toList());

    Batch batch = read(store, 0, 20);

    assertThat(octets).isLessThanOrEqualTo(LARGEST_BATCH);
    assertThat(rows).isEqualTo(15);
    assertThat(batch.messages()).hasSize(15);
    assertThat(batch.full()).as("there is more behind them").isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void headersCountAsPayloadsDo(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    insert(store, IntStream.range(0, 20).mapToObj(i -> text("x", "h".repeat(LARGE))).toList());

    assertThat(read(store, 0, 20).messages()).hasSize(15);
    assertThat(octets).isLessThanOrEqualTo(LARGEST_BATCH);
  }

  @ParameterizedTest
  @EnumSource
  void octetsAreCountedAndNotCharacters(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    insert(
        store,
        IntStream.range(0, 15).mapToObj(i -> text("\u20ac".repeat(LARGE / 2), "{}")).toList());

    assertThat(read(store, 0, 15).messages()).as("three octets each").hasSize(10);
    assertThat(octets).isLessThanOrEqualTo(LARGEST_BATCH);
  }

  @ParameterizedTest
  @EnumSource
  void smallOnesComeAlthoughALargeOneIsBehindThem(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<Envelope> all = List.of(text("a", "{}"), bytes(LARGE), bytes(LARGE), text("b", "{}"));
    insert(store, all);

    Batch batch = read(store, 0, 10);

    assertThat(batch.messages())
        .extracting(it -> it.envelope().id())
        .isEqualTo(all.stream().map(Envelope::id).toList());
    assertThat(batch.full()).isFalse();
  }

  /** PostgreSQL holds payloads of up to 100 MiB. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRESQL")
  void oneMessageAlwaysGoesHoweverLargeItIs(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<Envelope> all = List.of(bytes(20 << 20), text("b", "{}"));
    insert(store, all);

    Batch first = read(store, 0, 10);
    assertThat(first.messages())
        .extracting(it -> it.envelope().id())
        .containsExactly(all.get(0).id());
    assertThat(first.full()).isTrue();

    Batch second = read(store, first.messages().get(0).seq(), 10);
    assertThat(second.messages())
        .extracting(it -> it.envelope().id())
        .containsExactly(all.get(1).id());
    assertThat(second.full()).isFalse();
  }

  private static Envelope text(String text, String headers) {
    return envelope(new Body.Text(text), headers);
  }

  private static Envelope bytes(int octets) {
    return envelope(new Body.Bytes(new byte[octets]), "{}");
  }

  private static Envelope envelope(Body body, String headers) {
    return new Envelope(
        UUID.randomUUID(),
        "d",
        null,
        null,
        null,
        null,
        null,
        null,
        "text/plain",
        body,
        headers,
        null);
  }

  private static void insert(StoreFixture store, List<Envelope> all) throws SQLException {
    try (Connection connection = store.begin()) {
      for (Envelope each : all) {
        store.messages.insert(connection, StoreFixture.prepared(each));
      }
      connection.commit();
    }
  }

  private Batch read(StoreFixture store, long after, int limit) throws SQLException {
    rows = 0;
    octets = 0;
    try (Connection connection = store.begin()) {
      Batch batch = store.relay.read(counted(connection), lane("d"), after, limit);
      connection.rollback();
      return batch;
    }
  }

  private Connection counted(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) ->
            call(connection, method, arguments) instanceof PreparedStatement statement
                ? counted(statement)
                : null);
  }

  private PreparedStatement counted(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          Object answer = call(statement, method, arguments);
          return answer instanceof ResultSet result ? counted(result) : answer;
        });
  }

  /** Counts what was asked for, and at the end also what was not. */
  private ResultSet counted(ResultSet result) {
    return proxy(
        ResultSet.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            while (result.next()) {
              count(result);
            }
          }
          Object answer = call(result, method, arguments);
          if (method.getName().equals("next") && answer.equals(true)) {
            count(result);
          }
          return answer;
        });
  }

  private void count(ResultSet row) throws SQLException {
    rows++;
    List<byte[]> parts = new ArrayList<>();
    for (String column : List.of("payload_text", "headers")) {
      String text = row.getString(column);
      parts.add(text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = row.getBytes("payload_bytes");
    parts.add(bytes == null ? new byte[0] : bytes);
    parts.forEach(part -> octets += part.length);
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            LargeRowsTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
