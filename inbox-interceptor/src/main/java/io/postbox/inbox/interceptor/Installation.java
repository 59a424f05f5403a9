package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.PayloadCipher;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.Dialect;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.MessageTables;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.SchemaException;
import io.postbox.inbox.store.SecretStore;
import io.postbox.inbox.store.Stores;
import io.postbox.inbox.store.TablesInUseException;
import io.postbox.inbox.store.TrialStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of one application on its database: not ready until the tables were found in order.
 * Thread-safe.
 */
final class Installation {
  private final InboxConfig config;
  private final DataSource dataSource;
  private final TransactionTrial trial;
  private final IdRange ids = new IdRange();
  private volatile @Nullable Stores stores;
  private volatile byte @Nullable [] secret;
  private volatile @Nullable Dialect dialect;
  private volatile Supplier<Optional<PayloadCipher>> cipher =
      () -> {
        throw new InboxException(
            "The application's beans are not there yet, so nothing can be kept aside.", null);
      };
  private final KeptContents contents = new KeptContents(() -> cipher.get());
  private volatile String problem = "the tables have not been looked at yet";

  Installation(InboxConfig config, DataSource dataSource) {
    this(config, dataSource, TransactionTrial.OF_SERVER);
  }

  Installation(InboxConfig config, DataSource dataSource, TransactionTrial trial) {
    this.config = config;
    this.dataSource = dataSource;
    this.trial = trial;
  }

  InboxConfig config() {
    return config;
  }

  /** Says where the application's cipher is, once it has beans. */
  void encryptWith(Supplier<Optional<PayloadCipher>> found) {
    cipher = found;
  }

  /** Turns what is kept aside into columns, and back. */
  KeptContents contents() {
    return contents;
  }

  DataSource dataSource() {
    return dataSource;
  }

  /**
   * The key with which the service proves what it sends again.
   *
   * @throws InboxException if the tables are not in order yet
   */
  byte[] secret() {
    byte[] known = secret;
    if (known == null) {
      throw new InboxException(
          "Nobody can tell whether a message was sent again by this service, because the inbox is"
              + " not ready: "
              + problem
              + ". It is not handled now, and comes again.",
          new SQLTransientConnectionException(problem));
    }
    return known;
  }

  /** The statements, once the tables are in order. */
  Optional<Stores> stores() {
    return Optional.ofNullable(stores);
  }

  /** The database's dialect, once the tables are in order. */
  Optional<Dialect> dialect() {
    return Optional.ofNullable(dialect);
  }

  /** For which ids there are tables; anything that has to do with ids asks it. */
  IdRange ids() {
    return ids;
  }

  /** What stands in the way of working, as long as there are no {@link #stores() statements}. */
  String problem() {
    return problem;
  }

  /**
   * Looks at the tables, and makes them where that is wanted, unless that is done. Must not be
   * called within a transaction. A database that does not answer is a problem to be tried again.
   *
   * @throws SchemaException if the tables are not there, have another shape or another owner
   */
  synchronized void prepare() {
    if (stores != null) {
      return;
    }
    try {
      Dialect found = prepareTables();
      refuseWithoutTransactions();
      dialect = found;
      stores = Stores.of(found, config.tables(), contents);
      InboxLog.started(settings(found));
    } catch (TablesInUseException inUse) {
      if (isNews("the tables are not complete: " + inUse.getMessage())) {
        InboxLog.tablesInUse(inUse.getMessage());
      }
    } catch (SQLException unreachable) {
      if (isNews("the database does not answer: " + unreachable.getMessage())) {
        InboxLog.databaseNotReady(unreachable);
      }
    } catch (SchemaException unusable) {
      if (isNews(String.valueOf(unusable.getMessage()))) {
        InboxLog.refused(problem);
      }
      throw unusable;
    }
  }

  private Dialect prepareTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect found = Dialect.of(connection);
      new Schema(found, config).prepare(connection);
      connection.setAutoCommit(true);
      new MessageTables(config).read(connection, ids, Instant.EPOCH);
      secret = new SecretStore(found, config.tables()).readOrMake(connection);
      return found;
    }
  }

  private void refuseWithoutTransactions() throws SQLException {
    Optional<Boolean> rollsBack =
        trial.rollsBack(dataSource, new TrialStore(config.tables()), config.service());
    if (!rollsBack.orElse(true)) {
      throw new SchemaException(
          "The data source postbox.inbox.data-source=%s takes no part in the server's transactions: a row was still there after its transaction had rolled back. The id of a message whose handler fails would stay, and the message would be skipped when it is redelivered: it would be lost. Remove transactional=\"false\" from the dataSource in server.xml, or name the data source that the handlers' own tables are written with."
              .formatted(config.dataSource()));
    }
  }

  /** One line for a problem, however many deliveries meet it. */
  private boolean isNews(String found) {
    boolean news = !found.equals(problem);
    problem = found;
    return news;
  }

  private String settings(Dialect found) {
    return "service=%s, data-source=%s (%s), tables=%s, create-tables=%s"
        .formatted(
            config.service(),
            config.dataSource(),
            found,
            config.tables().qualified("inbox_message"),
            config.createTables());
  }
}
