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
    this.config = config;
    this.dataSource = dataSource;
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
    try (Connection connection = dataSource.getConnection()) {
      Dialect found = Dialect.of(connection);
      new Schema(found, config).prepare(connection);
      connection.setAutoCommit(true);
      new MessageTables(config).read(connection, ids, Instant.EPOCH);
      secret = new SecretStore(found, config.tables()).readOrMake(connection);
      dialect = found;
      stores = Stores.of(found, config.tables(), contents);
      InboxLog.started(settings(found));
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
