package io.postbox.inbox;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.PlanRefusedException;
import java.util.Optional;
import java.util.UUID;

/**
 * The messages that the inbox parked because their handlers failed too often or rejected them.
 * Injectable, thread-safe.
 *
 * <p>{@link #redrive} sends each message with its id, body and properties to the consumer's {@code
 * retry-destination}, or else to the destination it was received from, and deletes its recorded
 * failures: the handler gets all attempts again. Consumers of other names that listen there skip
 * the message, while listeners without {@link Inbox} receive it again, as all subscribers of a
 * topic do. If no bean of this application has the consumer's name, the inbox assumes that the
 * consumer was renamed, and the listener at that destination handles the message. A message that
 * was handled or discarded meanwhile is sent too, and the inbox skips it.
 *
 * <p>{@link #discard} remembers the messages' ids as {@code DISCARDED}, so that the inbox skips a
 * late copy. If the consumer has {@code order=version}, the inbox passes over a discarded version
 * when its turn comes, and handles the versions behind it: those that wait are released at once.
 *
 * <p>Messages that are buffered wait for earlier versions, and those of a listener that go back to
 * their queue for their retry or for their copy, and not for a person. Only a filter by the reason
 * {@code EARLY}, {@code DELAYED} or {@code HANDED_BACK} selects them, and early ones also the ids
 * of their rows. A redrive has them handled now, and {@link #hold} parks those that go back.
 *
 * <pre>{@code
 * KeptPlan plan =
 *     parked.plan(KeptFilter.all().consumer("shipping").errorContains("carrier is down"));
 * if (plan.messages() < 10_000) {
 *   parked.redrive(plan, "the carrier is back, see OPS-17");
 * }
 * }</pre>
 */
public interface ParkedMessages extends KeptMessages {

  /**
   * Parks the plan's messages, which are retried by themselves, so that they are retried no more
   * until somebody redrives them. Their reason is {@code HELD}, and a copy that is on its way is
   * not handled. It throws what {@link #discard} does.
   *
   * @param plan from {@link #plan}, with a filter by the reason {@code DELAYED} or {@code
   *     HANDED_BACK}
   * @param reason for the record: 1 to 1,000 characters
   * @return how many were parked
   */
  long hold(KeptPlan plan, String reason);

  /**
   * Says what an edit would make of one message, with the checks of {@link #edit(long, MessageEdit,
   * String)}, and changes nothing; empty if the row does not exist (any more). It tells
   * fingerprints and sizes, and no content. The plan that it makes can be carried out with {@link
   * #edit(UUID, String, long, MessageEdit, String)}.
   *
   * @param id of the row
   * @throws IllegalArgumentException if it could not be sent to its consumer like that, or was
   *     handled
   * @throws InboxException if the table cannot be read, or the content cannot be decrypted
   */
  Optional<EditPreview<KeptMessage>> preview(long id, MessageEdit edit);

  /**
   * Changes the body or some properties of one message. It stays parked, with its reason and its
   * attempts: {@link #redrive} it then.
   *
   * <p>It keeps its id, unlike a dead letter of the outbox: this inbox is its only receiver, and
   * has not handled it. Under its own id the message takes effect once, whatever still arrives: a
   * late copy with the old body is quarantined once the edited message was handled, and not handled
   * too, as it would be beside a message with a new id; calls in {@link InboxContext#once} that an
   * attempt has made are not made again; and with {@code order=version} it keeps its turn. If a
   * copy was handled meanwhile, the edited message is quarantined when it is redriven. The row
   * keeps the fingerprint of the body that was received, so that another copy of that one is known.
   *
   * <p>A consumer whose ids a {@link MessageIdResolver} finds could find another one in another
   * body: its messages cannot be edited. Nor can maps and streams get another body. One that is
   * parked as {@code REPLY_NOT_SENT} was handled, and an edit would change nothing: redrive it.
   *
   * @param id of the row
   * @param edit the changes
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was there
   * @throws IllegalArgumentException if there is no reason, it is too long, or the message could
   *     not be sent to its consumer like that, or was handled; nothing was changed
   * @throws InboxException if the database failed, or the content cannot be decrypted; nothing was
   *     changed
   */
  boolean edit(long id, MessageEdit edit, String reason);

  /**
   * The same, as it was previewed: once, within an hour, on any node, for the principal of the
   * preview. The plan does not contain the change, which has to be the same.
   *
   * @param plan the id of {@link EditPreview#token}
   * @param key of the preview
   * @param id of the row
   * @param edit the changes, as they were previewed
   * @param reason for the record: 1 to 1,000 characters
   * @return whether it was there
   * @throws PlanRefusedException if the plan was not made by {@link #preview} for the caller, this
   *     message and this edit, is older than an hour, or was carried out already; nothing was
   *     changed
   * @throws IllegalStateException if somebody has edited the message since; nothing was changed
   */
  boolean edit(UUID plan, String key, long id, MessageEdit edit, String reason);
}
