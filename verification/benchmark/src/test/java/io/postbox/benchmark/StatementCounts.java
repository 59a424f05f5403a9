package io.postbox.benchmark;

import java.sql.SQLException;
import java.util.Map;

/**
 * PostgreSQL's work in one database, per message: its statements by pg_stat_statements, which
 * cannot count a COMMIT that the driver has prepared, and its transactions by the numbers that they
 * take.
 *
 * @param statements but for those that begin and end transactions
 * @param transactions that changed something; each has one durable commit
 * @param prepares of transactions in two phases; each is durable too, before the commit
 */
record StatementCounts(double statements, double transactions, double prepares) {
  /** Of a server that counts. */
  static final Map<String, String> SETTINGS =
      Map.of("shared_preload_libraries", "pg_stat_statements");

  /** Something that handles messages. */
  interface Work {
    void handle() throws Exception;
  }

  /**
   * Counts while so many messages are handled; leaves out what is not done for at least a tenth.
   */
  static StatementCounts count(Database database, int messages, Work work) throws Exception {
    reset(database);
    long first = nextTransaction(database);
    work.handle();
    long transactions = nextTransaction(database) - first;
    double all = messages;
    return new StatementCounts(
        calls(database, "query ~ '^(SELECT|INSERT|UPDATE|DELETE)'", messages / 10) / all,
        transactions / all,
        calls(database, "query LIKE 'PREPARE TRANSACTION%'", messages / 10) / all);
  }

  /** Counts the statements of this database from now on. */
  static void reset(Database database) throws SQLException {
    database.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    database.execute(
        """
        SELECT pg_stat_statements_reset(dbid => oid)
        FROM pg_database WHERE datname = current_database()
        """);
  }

  private static long nextTransaction(Database database) throws SQLException {
    return database.number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
  }

  private static long calls(Database database, String which, int least) throws SQLException {
    return database.number(
        """
        SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND %s AND calls >= %s
        """
            .formatted(which, least));
  }
}
