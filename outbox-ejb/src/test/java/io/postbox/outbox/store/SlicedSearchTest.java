package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.LookupPage;
import io.postbox.common.store.Condition;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SlicedSearchTest {
  private static final List<Part> PARTS =
      List.of(
          new Part(
              "all",
              "m.id, m.kind",
              "entry",
              List.of(),
              "",
              List.of(Column.number("id")),
              false,
              List.of(Condition.of("m.kind = ?", "wanted"))));

  private static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Inserts rows between the first statement, which finds a slice's end, and the second. */
  private static Connection busy(Connection real, DataSource dataSource, String insert) {
    int[] statements = new int[1];
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement") && ++statements[0] == 2) {
                execute(dataSource, insert);
              }
              return method.invoke(real, arguments);
            });
  }

  @ParameterizedTest
  @EnumSource
  void noRowIsPassedOverHoweverManyComeIntoTheSlice(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    execute(dataSource, "CREATE TABLE entry (id BIGINT PRIMARY KEY, kind VARCHAR(10) NOT NULL)");
    execute(dataSource, "INSERT INTO entry VALUES (10000, 'other'), (20000, 'wanted')");
    String numbers =
        database == TestDatabase.H2
            ? "(SELECT X AS i FROM SYSTEM_RANGE(1, 2500))"
            : "(SELECT generate_series AS i FROM generate_series(1, 2500))";
    String insert = "INSERT INTO entry SELECT i, 'other' FROM %s n".formatted(numbers);
    List<Long> found = new ArrayList<>();
    try (Connection real = dataSource.getConnection()) {
      Connection connection = busy(real, dataSource, insert);
      String after = "";
      do {
        LookupPage<Long> page =
            SlicedSearch.page(connection, PARTS, (part, row) -> row.getLong("id"), after, 10);
        found.addAll(page.items());
        after = page.next().orElse("");
      } while (!after.isEmpty());
    }
    assertThat(found).containsExactly(20_000L);
  }
}
