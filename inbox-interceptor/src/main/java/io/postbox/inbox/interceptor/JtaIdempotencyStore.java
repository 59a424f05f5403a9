package io.postbox.inbox.interceptor;

import io.postbox.common.store.SchemaException;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.receiver.IdempotencyStore;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDatabase.Work;
import io.postbox.inbox.store.ResultStore;
import io.postbox.inbox.store.Stores;
import io.postbox.inbox.store.VersionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The store on the application's data source. The server enlists its connections in the calling
 * thread's transaction. Thread-safe.
 */
public class JtaIdempotencyStore implements IdempotencyStore {
  final InboxDatabase database;
  private final Runnable prepareOutside;

  /** Work without a result. */
  private interface Change {
    void on(Stores stores, Connection connection) throws SQLException;
  }

  /**
   * @param database where the tables are
   * @param prepareOutside prepares the database outside of the delivery's transaction
   */
  public JtaIdempotencyStore(InboxDatabase database, Runnable prepareOutside) {
    this.database = database;
    this.prepareOutside = prepareOutside;
  }

  @Override
  public Optional<QuarantineReason> refusalOf(String consumer, String messageId) {
    try {
      prepare(); // reads the range of ids too
    } catch (SQLException | SchemaException notReady) {
      throw failed(consumer, messageId, notReady);
    }
    return switch (database.ids().of(messageId)) {
      case STORABLE -> Optional.empty();
      case TOO_OLD -> Optional.of(QuarantineReason.TOO_OLD);
      case NOT_TIME_ORDERED -> Optional.of(QuarantineReason.NOT_TIME_ORDERED);
      case NOT_READY ->
          throw failed(
              consumer, messageId, new SQLException("its day has no table yet, see IBX0050"));
    };
  }

  @Override
  public boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome) {
    return call(
        delivery.consumer(),
        messageId,
        (stores, connection) ->
            stores.messages().insertIfAbsent(connection, delivery, messageId, outcome));
  }

  @Override
  public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (stores, connection) -> stores.messages().fingerprintOf(connection, consumer, messageId));
  }

  @Override
  public Failures failuresOf(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (stores, connection) -> stores.failures().of(connection, consumer, messageId));
  }

  @Override
  public boolean quarantine(Quarantined quarantined) {
    String id = quarantined.messageId();
    return call(
        quarantined.delivery().consumer(),
        id == null ? "without a usable id" : id,
        (stores, connection) -> stores.kept().quarantine(connection, quarantined));
  }

  @Override
  public Claim claim(Delivery delivery) {
    StoredRow row = Objects.requireNonNull(delivery.stored());
    return call(
        delivery.consumer(),
        delivery.knownId().orElse(""),
        (stores, connection) -> {
          Optional<String> owner = stores.kept().claim(connection, row);
          if (owner.isEmpty()) {
            return Claim.NONE;
          }
          if (owner.get().equals(delivery.consumer())) {
            return Claim.OWN;
          }
          stores.kept().delete(connection, row.id());
          return Claim.TAKEN_OVER;
        });
  }

  @Override
  public void delete(Delivery delivery) {
    StoredRow row = Objects.requireNonNull(delivery.stored());
    run(
        delivery.consumer(),
        delivery.knownId().orElse(""),
        (stores, connection) -> stores.kept().delete(connection, row.id()));
  }

  @Override
  public Optional<Fingerprint> delay(Delivery delivery, DelayedRetry retry, boolean mayReply) {
    return call(
        delivery.consumer(),
        retry.messageId(),
        (stores, connection) -> stores.kept().delay(connection, delivery, retry, mayReply));
  }

  @Override
  public Optional<Fingerprint> park(Parked parked, boolean mayReply) {
    return call(
        parked.delivery().consumer(),
        parked.messageId(),
        (stores, connection) -> stores.kept().park(connection, parked, mayReply));
  }

  @Override
  public Standing lockVersion(String consumer, Aggregate aggregate, long first) {
    return call(
        consumer,
        "about " + aggregate,
        (stores, connection) -> stores.versions().lock(connection, consumer, aggregate, first));
  }

  @Override
  public boolean allDiscarded(String consumer, Aggregate aggregate, long last) {
    return call(
        consumer,
        "about " + aggregate,
        (stores, connection) ->
            stores.versions().allDiscarded(connection, consumer, aggregate, last));
  }

  @Override
  public boolean isDiscarded(String consumer, Aggregate aggregate) {
    return call(
        consumer,
        "about " + aggregate,
        (stores, connection) -> stores.versions().isDiscarded(connection, consumer, aggregate));
  }

  @Override
  public void forgetPlace(String consumer, Aggregate aggregate) {
    run(
        consumer,
        "about " + aggregate,
        (stores, connection) -> stores.versions().forget(connection, consumer, aggregate));
  }

  @Override
  public void moveOn(String consumer, Aggregate aggregate) {
    run(
        consumer,
        "about " + aggregate,
        (stores, connection) -> stores.versions().moveOn(connection, consumer, aggregate, false));
  }

  @Override
  public boolean moveOnAndRelease(String consumer, Aggregate aggregate) {
    return call(
        consumer,
        "about " + aggregate,
        (stores, connection) -> {
          VersionStore.Release released =
              stores.versions().release(connection, consumer, aggregate);
          stores.versions().moveOn(connection, consumer, aggregate, released.isAwaited());
          return released.any();
        });
  }

  @Override
  public void await(String consumer, Aggregate aggregate) {
    run(
        consumer,
        "about " + aggregate,
        (stores, connection) -> stores.versions().await(connection, consumer, aggregate));
  }

  @Override
  public Optional<Fingerprint> fingerprintOfWaiting(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (stores, connection) ->
            stores.versions().fingerprintOfWaiting(connection, consumer, messageId));
  }

  @Override
  public void keepResult(
      String consumer, String messageId, String result, @Nullable String replyTo) {
    run(
        consumer,
        messageId,
        (stores, connection) ->
            stores.results().putReply(connection, consumer, messageId, result, replyTo));
  }

  @Override
  public Optional<KeptAnswer> resultOf(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (stores, connection) ->
            stores
                .results()
                .get(connection, consumer, messageId, ResultStore.REPLY)
                .flatMap(
                    found ->
                        Optional.ofNullable(found.value())
                            .map(value -> new KeptAnswer(value, found.replyTo()))));
  }

  @Override
  public Optional<Fingerprint> capture(Delivery delivery, String messageId, boolean mayReply) {
    return call(
        delivery.consumer(),
        messageId,
        (stores, connection) ->
            stores.captured().capture(connection, delivery, messageId, mayReply));
  }

  private void run(String consumer, String messageId, Change change) {
    call(
        consumer,
        messageId,
        (stores, connection) -> {
          change.on(stores, connection);
          return true;
        });
  }

  <T> T call(String consumer, String messageId, Work<T> work) {
    try {
      prepare();
      return database.call(work);
    } catch (SQLException | SchemaException failed) {
      throw failed(consumer, messageId, failed);
    }
  }

  private static InboxException failed(String consumer, String messageId, Exception cause) {
    return new InboxException(
        "Message "
            + messageId
            + " for the consumer '"
            + consumer
            + "' was not handled, because the inbox's database failed: "
            + InboxLog.EXCEPTIONS.of(cause)
            + ". The delivery is rolled back, and the message is redelivered.",
        cause);
  }

  private void prepare() throws SQLException {
    if (database.stores().isEmpty()) {
      prepareOutside.run();
    }
    database.required();
  }
}
