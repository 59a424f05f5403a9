package io.postbox.inbox.receiver;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import java.util.function.DoubleSupplier;

/**
 * What an {@link IdempotentReceiver} works with.
 *
 * @param config how the consumers are treated
 * @param store which messages were handled so far
 * @param gate when deliveries are let in
 * @param database whether the inbox's database answers
 * @param throttle holds up what could not be sent with a delay
 * @param attempts where attempts at redelivered messages are on record while they run
 * @param failures where failures are recorded
 * @param failureLines logs them
 * @param quotas how much is kept aside
 * @param keptLines logs what is kept aside
 * @param listener hears how each delivery ended, once that is certain
 * @param random even draws from 0 (included) to 1 (excluded), from any thread
 */
public record ReceiverParts(
    InboxConfig config,
    IdempotencyStore store,
    DeliveryGate gate,
    DatabaseAvailability database,
    RetryThrottle throttle,
    AttemptLog attempts,
    FailureLog failures,
    FailureLines failureLines,
    Quotas quotas,
    KeptLines keptLines,
    InboxListener listener,
    DoubleSupplier random) {}
