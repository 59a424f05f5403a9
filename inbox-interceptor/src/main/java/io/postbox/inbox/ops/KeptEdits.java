package io.postbox.inbox.ops;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.PlannedEdit;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.text.Digests;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRow;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.StoredStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Edits parked messages, and audits that. Thread-safe. */
public final class KeptEdits {
  private static final String EDIT = "edit";

  private final KeptRows rows;
  private final KeptContents contents;
  private final Plans plans;
  private final Editor editor;
  private final Function<Content, List<String>> propertyNames;

  /** Makes another content. */
  @FunctionalInterface
  public interface Editor {
    /**
     * A content with an operator's changes.
     *
     * @throws IllegalArgumentException if the consumer could not be sent that
     */
    Content edited(String consumer, Content old, MessageEdit edit);
  }

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts and encrypts stored contents
   * @param editor makes the other content
   * @param propertyNames the names of the properties in a content
   */
  public KeptEdits(
      Dialect dialect,
      InboxConfig config,
      DataSource dataSource,
      KeptContents contents,
      Editor editor,
      Function<Content, List<String>> propertyNames) {
    rows = new KeptRows(Kind.PARKED, config.tables());
    plans = BackgroundActions.plans(dialect, config, dataSource);
    this.contents = contents;
    this.editor = editor;
    this.propertyNames = propertyNames;
  }

  /**
   * Previews the effect of an edit on a message; changes nothing, and keeps a plan of it.
   *
   * @return empty if it is not parked (any more)
   * @throws IllegalArgumentException if its consumer could not be sent that, or it was handled
   * @throws InboxException if the database failed, or the content cannot be decrypted
   */
  public Optional<EditPreview<KeptMessage>> preview(
      KeptMessage message, MessageEdit edit, String principal) {
    return plans
        .calls()
        .commit(notEdited(message.id()), connection -> rows.read(connection, message.id()))
        .map(
            row -> {
              Content before = contents.open(row.place(), row.content());
              EditPreview.Content after = measured(edited(row, before, edit));
              String key = PlannedEdit.key(state(before));
              return new EditPreview<>(
                  plans.keep(
                      principal, subject(message.id(), row), planned(key, message.id(), edit), 1),
                  key,
                  message,
                  message.source(),
                  message.replyTo(),
                  measured(before),
                  after);
            });
  }

  /**
   * Changes a message, which stays parked under its id.
   *
   * @return whether it was there
   * @throws IllegalArgumentException if there is no reason, its consumer could not be sent that, or
   *     it was handled
   * @throws InboxException if the database failed, or the content cannot be decrypted
   */
  public boolean edit(long id, MessageEdit edit, String principal, String reason) {
    return edit(new Order(EDIT, principal, reason), Optional.empty(), Optional.empty(), id, edit);
  }

  /**
   * The same as it was planned.
   *
   * @param plan its id
   * @param key of the preview
   * @throws PlanRefusedException if the plan is invalid, or for something else
   * @throws IllegalStateException if the content was edited since
   */
  public boolean edit(
      UUID plan, String key, long id, MessageEdit edit, String principal, String reason) {
    return edit(
        new Order(plan, EDIT, principal, reason),
        Optional.of(planned(key, id, edit)),
        Optional.of(key),
        id,
        edit);
  }

  private boolean edit(
      Order order, Optional<String> plan, Optional<String> key, long id, MessageEdit edit) {
    Optional<Entry> done =
        plans.once(
            notEdited(id), order, plan, connection -> edit(connection, order, key, id, edit));
    done.ifPresent(entry -> InboxLog.edited(entry.subject(), entry.principal(), entry.reason()));
    return done.isPresent();
  }

  private Optional<Entry> edit(
      Connection connection, Order order, Optional<String> key, long id, MessageEdit edit)
      throws SQLException {
    Optional<KeptRow> found = rows.lock(connection, id);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    KeptRow row = found.get();
    Content before = contents.open(row.place(), row.content());
    if (key.isPresent() && !PlannedEdit.isStill(state(before), key.get())) {
      throw new IllegalStateException(
          "The parked message %s was edited since; nothing was changed. Look at it again"
              .formatted(id));
    }
    rows.replace(connection, row, edited(row, before, edit), contents);
    Entry entry = order.entry("%s: %s".formatted(subject(id, row), edit));
    plans.audit().write(connection, entry, 1);
    return Optional.of(entry);
  }

  private static String subject(long id, KeptRow row) {
    return "parked message %s of '%s', id %s"
        .formatted(id, row.at().consumer(), row.at().messageId());
  }

  private static String planned(String key, long id, MessageEdit edit) {
    return PlannedEdit.of(key, String.valueOf(id), edit);
  }

  private Content edited(KeptRow row, Content before, MessageEdit edit) {
    if (row.reason().equals(ParkReason.REPLY_NOT_SENT.name())) {
      throw new IllegalArgumentException(
          "It was handled, and only its reply is missing, which an edit does not change; a redrive"
              + " sends the reply");
    }
    if (row.reason().equals(StoredStatus.DELAYED.name())
        || row.reason().equals(StoredStatus.HANDED_BACK.name())) {
      throw new IllegalArgumentException(
          "It is retried by itself, and a copy of it may be on its way; hold it first, and edit it then");
    }
    return editor.edited(row.at().consumer(), before, edit);
  }

  private EditPreview.Content measured(Content content) {
    String text = content.text();
    ByteBuffer bytes = content.bytes();
    @Nullable ByteBuffer body =
        text == null ? bytes : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    return PlannedEdit.measured(
        content.type().name(), Optional.ofNullable(body), propertyNames.apply(content));
  }

  private static String state(Content content) {
    MessageDigest digest = Digests.sha256();
    String text = content.text();
    ByteBuffer bytes = content.bytes();
    for (String part : List.of(content.type().name(), content.properties())) {
      byte[] octets = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(octets.length).flip());
      digest.update(octets);
    }
    if (text != null) {
      digest.update(text.getBytes(StandardCharsets.UTF_8));
    } else if (bytes != null) {
      digest.update(bytes.duplicate());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String notEdited(long id) {
    return "The parked message %s was not edited".formatted(id);
  }
}
