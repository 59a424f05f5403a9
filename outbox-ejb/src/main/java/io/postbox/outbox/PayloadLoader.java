package io.postbox.outbox;

import java.util.Optional;

/**
 * Loads the payloads of messages that were enqueued with {@link OutboxMessage#reference}. A CDI
 * bean of the application, which the outbox's module can see.
 *
 * <p>The payload must exist as soon as the enqueuing transaction has committed, and must not change
 * until the message has been sent. The relay loads it once to store its SHA-256, and again for each
 * attempt to send: a different payload makes the message a dead letter, because otherwise two
 * payloads could be sent under one message id.
 *
 * <p>Several threads call it at once, without a transaction of the relay's and without a request:
 * an EJB, or {@code @Transactional}, begins its own transaction. The threads are managed ones of
 * the server with the context of the outbox's module, so {@code java:comp/env} is not the
 * application's. A load that takes longer than {@code postbox.outbox.relay.send-timeout}, or 15
 * seconds, makes its message a suspect, which waits. After five such failures between which other
 * messages to its destination were sent, or after twenty in any case, each further one is charged
 * as an attempt, and the last attempt makes it a dead letter. A load that never ends keeps its
 * thread. Its message is not loaded again on this node meanwhile, which counts as such a failure
 * too: so a loader needs time limits of its own. While twice as many loads for one destination hang
 * as there are workers, the relay loads nothing more for that destination; others go on.
 */
public interface PayloadLoader {

  /**
   * Loads one payload.
   *
   * @param table as given to {@link OutboxMessage#reference}; any name of the application's,
   *     because the outbox does not use it in SQL
   * @param id as given there
   * @return the payload, at most {@code postbox.outbox.max-payload} bytes; empty if there is none,
   *     which is charged as an attempt
   * @throws PayloadUnavailableException if no payload can be loaded at the moment: the messages to
   *     this destination wait, and no attempt is charged. The same applies to lost or refused
   *     database connections among the causes of any other exception.
   * @throws Exception if this payload cannot be loaded; that is charged as an attempt
   */
  Optional<LoadedPayload> load(String table, String id) throws Exception;
}
