package io.postbox.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows that lie in the table beside those that are drained, and that no relay may send. */
enum Crowd {
  DEAD_LETTERS("dead letters", "dead", "DEAD", "clock_timestamp()"),
  NOT_YET_DUE("messages that are not yet due", "waiting", "DELAYED", "clock_timestamp() + '1 day'"),
  PAUSED("messages to a paused destination", "waiting", "PENDING", "clock_timestamp()"),
  DEAD_ROWS("dead rows behind an old snapshot", "dead", "SENT", "clock_timestamp()") {
    @Override
    Gathered gather(Table table, int count) throws SQLException {
      Connection snapshot = table.database().connect();
      snapshot.setAutoCommit(false);
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = snapshot.createStatement()) {
        statement.execute("SELECT COUNT(*) FROM outbox_partition");
      }
      table.fillAndDelete(count);
      return () -> {
        try (snapshot) {
          snapshot.rollback();
        }
        table.forgetAll();
      };
    }
  };

  private final String words;
  private final String option;
  private final String status;
  private final String dueAt;

  Crowd(String words, String option, String status, String dueAt) {
    this.words = words;
    this.option = option;
    this.status = status;
    this.dueAt = dueAt;
  }

  /** The rows, until they are closed. */
  interface Gathered extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  /** How many there are to be. */
  int size(Options options) {
    return option.equals("dead") ? options.dead() : options.waiting();
  }

  String words() {
    return words;
  }

  /** Lets them lie there, while no relay is at work. */
  Gathered gather(Table table, int count) throws SQLException {
    table.pause("waiting");
    table.fillAside("waiting", status, dueAt, count);
    table.clean();
    return table::forgetAll;
  }
}
