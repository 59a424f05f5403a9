package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.Dialect;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts are the reference; the entities follow them. */
class EntitiesTest {
  private static final List<Class<?>> ENTITIES =
      List.of(QuarantinedMessageEntity.class, ParkedMessageEntity.class);
  private static final Map<Class<?>, Set<Integer>> TYPES =
      Map.of(
          long.class, Set.of(Types.BIGINT),
          Long.class, Set.of(Types.BIGINT),
          int.class, Set.of(Types.INTEGER),
          boolean.class, Set.of(Types.BOOLEAN, Types.BIT),
          byte[].class, Set.of(Types.VARBINARY, Types.BINARY),
          OffsetDateTime.class, Set.of(Types.TIMESTAMP_WITH_TIMEZONE, Types.TIMESTAMP),
          String.class, Set.of(Types.VARCHAR));

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void everyAttributeHasItsColumnInTheScript(TestDatabase database) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.freshUrl())) {
      new Schema(Dialect.of(connection), TestConfig.shop(true)).prepare(connection);
      for (Class<?> entity : ENTITIES) {
        check(connection.getMetaData(), entity);
      }
    }
  }

  private static void check(DatabaseMetaData database, Class<?> entity) throws SQLException {
    String table = entity.getAnnotation(Table.class).name();
    if (database.storesUpperCaseIdentifiers()) {
      table = table.toUpperCase(Locale.ROOT);
    }
    Map<String, Integer> columns = new HashMap<>();
    try (ResultSet rows = database.getColumns(null, null, table, null)) {
      while (rows.next()) {
        columns.put(
            rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT), rows.getInt("DATA_TYPE"));
      }
    }
    Set<String> key = new TreeSet<>();
    try (ResultSet rows = database.getPrimaryKeys(null, null, table)) {
      while (rows.next()) {
        key.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
      }
    }
    Set<String> ids = new TreeSet<>();
    for (Field attribute : entity.getDeclaredFields()) {
      String column = attribute.getAnnotation(Column.class).name();
      assertThat(columns).as(table).containsKey(column);
      assertThat(TYPES.get(attribute.getType()))
          .as("%s.%s", table, column)
          .contains(columns.get(column));
      if (attribute.isAnnotationPresent(Id.class)) {
        ids.add(column);
      }
    }
    assertThat(ids).isEqualTo(key);
  }
}
