package io.postbox.inbox.receiver;

import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * The collaborators of an {@link IdempotentReceiver}.
 *
 * @param config the configuration
 * @param consumers the present settings of each consumer, asked at each delivery
 * @param store knows which messages were handled
 * @param gate admits deliveries
 * @param database the availability of the inbox's database
 * @param throttle delays messages that could not be stored until their retry
 * @param attempts records attempts at redelivered messages while they run
 * @param failures records failures
 * @param failureLines logs them
 * @param limits how much each consumer may have in the tables
 * @param keptLines logs kept messages
 * @param listener receives the outcome of each delivery, once it is certain
 * @param wakeUp wakes those that handle captured messages, and those that send released ones
 * @param areCaptured whether the messages are captured ones, which are stored already
 * @param random even draws from 0 (included) to 1 (excluded), from any thread
 */
public record ReceiverParts(
    InboxConfig config,
    Function<String, ConsumerConfig> consumers,
    IdempotencyStore store,
    DeliveryGate gate,
    DatabaseAvailability database,
    RetryThrottle throttle,
    AttemptLog attempts,
    FailureLog failures,
    FailureLines failureLines,
    Limits limits,
    KeptLines keptLines,
    InboxListener listener,
    WakeUp wakeUp,
    boolean areCaptured,
    DoubleSupplier random) {

  /** The same collaborators for captured messages. */
  public ReceiverParts forCaptured(IdempotencyStore other) {
    return new ReceiverParts(
        config,
        consumers,
        other,
        gate,
        database,
        throttle,
        attempts,
        failures,
        failureLines,
        limits,
        keptLines,
        listener,
        wakeUp,
        true,
        random);
  }
}
