package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.jms.RequestReader;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.metrics.InboxMeters;
import io.postbox.inbox.metrics.RequestOutcome;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDatabase.Work;
import io.postbox.inbox.store.IdRange.Place;
import io.postbox.inbox.store.ResultStore;
import io.postbox.inbox.store.ResultStore.Result;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Remembers requests with their answers, for callers that own the transaction. {@link #claim},
 * {@link #keep} and {@link #answer} work in the calling thread's JTA transaction. Thread-safe.
 */
@ApplicationScoped
public class RequestAnswers {
  @Inject InboxDatabase database;
  @Inject InboxMeters meters;

  /** The outcome of a claim. */
  public enum Claim {
    /** The id is new, and this transaction has inserted it. */
    FIRST,
    /** A committed transaction has inserted it before. */
    KNOWN,
    /**
     * Another transaction has inserted it and has not ended; the caller has to roll this one back.
     */
    RUNNING
  }

  /**
   * Makes sure that the tables are in order. Must not be called within a transaction.
   *
   * @throws InboxException if they are not
   */
  public void prepare() {
    if (database.stores().isEmpty()) {
      database.prepare();
    }
    requireTables();
  }

  /**
   * Inserts an id unless it exists.
   *
   * @param patience how long to wait for another transaction that has inserted it, on PostgreSQL;
   *     on H2 its URL sets that limit
   * @throws InboxException if the database fails
   */
  public Claim claim(String consumer, String id, Duration patience) {
    Delivery delivery = RequestReader.read(InboxRequest.of(consumer, id), database::keyed);
    requireTables();
    if (database.ids().of(id) != Place.STORABLE) {
      throw new InboxException(
          "The inbox cannot remember the request "
              + id
              + ", because its tables are divided by day and its id has no day. Nothing was done.",
          null);
    }
    return call(
        id,
        (stores, connection) ->
            stores
                .messages()
                .insertIfAbsentWithin(connection, delivery, id, Outcome.PROCESSED, patience)
                .map(first -> first ? Claim.FIRST : Claim.KNOWN)
                .orElse(Claim.RUNNING));
  }

  /**
   * Stores the answer of a request that this transaction has claimed, and with its id what
   * operators may see: method, path and status. If there is a cipher, the path is left out.
   *
   * @throws InboxException if the database or the cipher fails
   */
  public void keep(
      String consumer, String id, String answer, String method, String path, int status) {
    String row = RequestReader.http(method, database.isEncrypting() ? "" : path, status);
    call(
        id,
        (stores, connection) -> {
          if (!stores.results().put(connection, consumer, id, ResultStore.REPLY, answer, null)) {
            throw new InboxException(
                "The answer of an earlier request with the id "
                    + id
                    + " is still stored, and retention is about to delete it. The transaction is"
                    + " rolled back; the client can repeat its request.",
                null);
          }
          if (!stores.messages().describe(connection, consumer, id, row)) {
            throw new InboxException(
                "The id of the request " + id + " is gone. Its transaction is rolled back.", null);
          }
          return true;
        });
  }

  /**
   * The answer of a known request; empty if a message was handled under this id.
   *
   * @throws InboxException if the database or the cipher fails
   */
  public Optional<String> answer(String consumer, String id) {
    return call(
        id,
        (stores, connection) ->
            stores.results().get(connection, consumer, id, ResultStore.REPLY).map(Result::value));
  }

  /** Counts a request that has its response, in any transaction or none. */
  public void count(String consumer, RequestOutcome outcome) {
    meters.answered(consumer, outcome);
  }

  /** How long the inbox remembers a consumer's ids at least, while the service runs. */
  public Duration retention(String consumer) {
    return database.config().of(consumer).retention();
  }

  private void requireTables() {
    if (database.stores().isEmpty()) {
      throw new InboxException(
          "The inbox is not ready, so the request was not handled: " + database.problem(), null);
    }
  }

  private <T> T call(String id, Work<T> work) {
    requireTables();
    try {
      return database.call(work);
    } catch (SQLException failed) {
      throw new InboxException(
          "The request "
              + id
              + " was not handled, because the inbox's database failed. Its transaction is rolled"
              + " back; the client can repeat it.",
          failed);
    }
  }
}
