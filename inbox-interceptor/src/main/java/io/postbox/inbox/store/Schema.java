package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.DatabaseInspection;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.Sql;
import io.postbox.common.store.TableScripts;
import io.postbox.inbox.config.InboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Creates and checks the inbox's tables. */
public final class Schema extends SchemaInstaller {
  private static final int MAJOR_VERSION = 1;

  private final InboxConfig config;
  private final MessageTables messages;

  public Schema(Dialect dialect, InboxConfig config) {
    this(dialect, config, scripts(dialect, Schema.class.getClassLoader()), FOR_OTHER_NODES);
  }

  Schema(Dialect dialect, InboxConfig config, TableScripts scripts, Duration forOtherNodes) {
    super(dialect, "inbox", scripts, config, forOtherNodes);
    this.config = config;
    messages = new MessageTables(config);
  }

  static TableScripts scripts(Dialect dialect, ClassLoader jar) {
    return new TableScripts(jar, dialect, "inbox", MAJOR_VERSION);
  }

  /** Inspects the database and the inbox's tables in it. */
  public static DatabaseInspection inspection(Dialect dialect, TableNames tables) {
    return new DatabaseInspection(
        dialect,
        tables,
        scripts(dialect, Schema.class.getClassLoader()).all(),
        Set.of("inbox_message"));
  }

  /**
   * Refuses a data source that reads uncommitted rows: another delivery's row may be rolled back.
   */
  @Override
  protected void checkIsolation(int level) {
    if (level < Connection.TRANSACTION_READ_COMMITTED) {
      throw new SchemaException(
          "The data source postbox.inbox.data-source=%s reads uncommitted rows, so a duplicate could be skipped because of a first delivery that rolls back, and the message would be lost. %s"
              .formatted(config.dataSource(), ServerSetting.READ_COMMITTED.sentence()));
    }
  }

  @Override
  protected List<Creation> partitionedTables() {
    return messages.creation(dialect);
  }

  @Override
  protected boolean needs(Creation creation) {
    return messages.needs(creation);
  }

  @Override
  protected void fill(Connection connection) throws SQLException {
    // The first count is due at once.
    Sql.execute(
        connection,
        """
        INSERT INTO %1$s (kind, consumer, messages, bytes, since, due_at)
        SELECT 'CLAIM', '', 0, 0, %2$s, %2$s
        WHERE NOT EXISTS (SELECT 1 FROM %1$s WHERE kind = 'CLAIM')
        """
            .formatted(tables.qualified("inbox_count"), dialect.now()));
    messages.prepare(connection, dialect);
  }
}
