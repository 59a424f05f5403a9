package io.postbox.outbox.ops;

import io.postbox.common.EditPreview;
import io.postbox.common.EditPreview.Content;
import io.postbox.common.MessageEdit;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.StoredPayload;
import io.postbox.common.ops.PlannedEdit;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.time.UuidV7;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.enqueue.Editor;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.EditStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.store.OperatorStore.Place;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/** Reads the contents of dead letters and edits them, and audits that. Thread-safe. */
public final class Edits {
  private static final String EDIT = "edit";

  private final OperatorStore messages;
  private final EditStore store;
  private final Plans plans;
  private final Editor editor;
  private final String service;
  private final UuidV7 ids = new UuidV7(InstantSource.system());

  /**
   * @param editor changes messages
   */
  public Edits(OutboxTables tables, Editor editor) {
    messages = new OperatorStore(tables.dialect(), tables.config().tables());
    store = new EditStore(tables.dialect(), tables.config().tables());
    plans = tables.plans();
    this.editor = editor;
    service = tables.config().service();
  }

  /**
   * Changes a dead letter, which stays one, at its place.
   *
   * @return its new id; empty if it is no dead letter (any more)
   * @throws IllegalArgumentException if there is no reason
   * @throws MessageRefusedException if it could not be sent like that
   * @throws OutboxException if the database failed
   */
  public Optional<UUID> edit(UUID id, MessageEdit edit, String principal, String reason) {
    return edit(new Order(EDIT, principal, reason), Optional.empty(), id, edit);
  }

  /**
   * The same as it was planned.
   *
   * @param plan its id
   * @param key of the preview
   * @throws PlanRefusedException if the plan is invalid, or for something else
   */
  public Optional<UUID> edit(
      UUID plan, String key, UUID id, MessageEdit edit, String principal, String reason) {
    return edit(
        new Order(plan, EDIT, principal, reason), Optional.of(planned(key, id, edit)), id, edit);
  }

  private Optional<UUID> edit(Order order, Optional<String> plan, UUID id, MessageEdit edit) {
    String problem = "The message %s was not edited".formatted(id);
    if (plan.isPresent()) { // refused before an answer that the letter is gone
      plans.once(problem, order, plan, connection -> Optional.empty());
    }
    Optional<Envelope> seen = read(id, connection -> {});
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    UUID newId = ids.next();
    // The application's cipher works here, and not while the partition is locked.
    Envelope changed = editor.edit(seen.get(), edit, newId).stored();
    Entry entry = order.entry("message %s as %s: %s".formatted(id, newId, edit));
    Optional<UUID> edited =
        plans.once(
            problem,
            order,
            plan,
            connection ->
                edit(connection, id, changed, entry) ? Optional.of(newId) : Optional.empty());
    edited.ifPresent(it -> OutboxLog.edited(id, it, entry.principal(), order.reason()));
    return edited;
  }

  private static String planned(String key, UUID id, MessageEdit edit) {
    return PlannedEdit.of(key, id.toString(), edit);
  }

  /**
   * The result that an edit of a dead letter would have; changes nothing, and keeps a plan of it.
   *
   * @return empty if it is no dead letter (any more)
   * @throws MessageRefusedException if it could not be sent like that
   * @throws OutboxException if the database failed
   */
  public Optional<EditPreview<DeadLetter>> preview(
      DeadLetter letter, MessageEdit edit, String principal) {
    String key = PlannedEdit.key("");
    return read(letter.id(), connection -> {})
        .map(stored -> editor.edit(stored, edit, ids.next()))
        .map(
            edited ->
                new EditPreview<>(
                    plans.keep(
                        principal, "message " + letter.id(), planned(key, letter.id(), edit), 1),
                    key,
                    letter,
                    Optional.of(service),
                    Optional.ofNullable(Headers.fromJson(edited.before().headers()).replyTo()),
                    content(edited.before()),
                    content(edited.after())));
  }

  /**
   * The content of a dead letter, after the reader's name was recorded.
   *
   * @param principal the reader's name
   * @return empty if it is no dead letter (any more)
   * @throws OutboxException if the database failed, or the content cannot be decrypted
   */
  public Optional<StoredPayload> payload(UUID id, String principal) {
    Entry entry =
        new Entry(UUID.randomUUID(), "view-payload", principal, "seen", "dead letter " + id);
    return read(id, connection -> plans.audit().write(connection, entry, 1))
        .map(
            stored -> {
              try {
                return payload(editor.open(stored));
              } catch (MessageRefusedException closed) {
                throw new OutboxException(
                    "The content of the dead letter %s cannot be decrypted.".formatted(id), closed);
              }
            });
  }

  private interface OnRecord {
    void of(Connection connection) throws SQLException;
  }

  /** The record is committed before the content leaves this class. */
  private Optional<Envelope> read(UUID id, OnRecord record) {
    return plans
        .calls()
        .commit(
            "The dead letter %s cannot be read".formatted(id),
            connection -> {
              Optional<Place> place = messages.place(connection, id);
              Optional<Envelope> found =
                  place.isEmpty()
                      ? Optional.empty()
                      : store
                          .read(connection, place.get())
                          .map(StoredMessage::envelope)
                          .filter(envelope -> envelope.id().equals(id));
              if (found.isPresent()) {
                record.of(connection);
              }
              return found;
            });
  }

  private static StoredPayload payload(Envelope plain) {
    Body body = plain.body();
    return new StoredPayload(
        plain.contentType(),
        body instanceof Body.Text text ? Optional.of(text.value()) : Optional.empty(),
        body instanceof Body.Bytes bytes ? Optional.of(bytes.value()) : Optional.empty(),
        body instanceof Body.Reference reference
            ? Optional.of(reference.table() + "/" + reference.id())
            : Optional.empty(),
        plain.headers());
  }

  private static Content content(Envelope plain) {
    return PlannedEdit.measured(
        plain.contentType(),
        plain.body() instanceof Body.Open open
            ? Optional.of(ByteBuffer.wrap(open.octets()))
            : Optional.empty(),
        Headers.fromJson(plain.headers()).properties().keySet().stream().sorted().toList());
  }

  private boolean edit(Connection connection, UUID id, Envelope edited, Entry entry)
      throws SQLException {
    Optional<Place> place = messages.place(connection, id);
    if (place.isEmpty()) {
      return false;
    }
    messages.lock(connection, place.get().partition());
    Optional<StoredMessage> letter = store.read(connection, place.get());
    if (letter.isEmpty() || !letter.get().envelope().id().equals(id)) {
      return false; // redriven, discarded or edited meanwhile: an edit gives a new id
    }
    store.replace(
        connection, place.get(), id, new NewMessage(place.get().partition(), edited, null, null));
    plans.audit().write(connection, entry, 1);
    return true;
  }
}
