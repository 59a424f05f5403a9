package io.postbox.inbox.kept;

import io.postbox.common.Page;
import io.postbox.common.StoredPayload;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.ops.KeptActions;
import io.postbox.inbox.ops.KeptQueries;
import java.util.List;
import java.util.Optional;

/**
 * Reads, redrives and discards kept messages of one kind, for the caller and outside of the
 * caller's transaction. Thread-safe.
 */
abstract class KeptMessagesBean extends OperatorBean {
  private static final String PROBLEM = "Kept messages cannot be read";

  private final Kind kind;

  KeptMessagesBean(Kind kind) {
    this.kind = kind;
  }

  public List<KeptMessage> find(KeptFilter filter, Page page) {
    return queries().find(filter, page);
  }

  public Optional<KeptMessage> get(long id) {
    return queries().get(id);
  }

  public Optional<StoredPayload> payload(long id) {
    return queries().payload(id, caller());
  }

  public KeptPlan plan(KeptFilter filter) {
    return actions().plan(queries().plan(filter), caller());
  }

  public Redriven redrive(KeptPlan plan, String reason) {
    return redrive(plan, ReplyOnRedrive.KEEP, reason);
  }

  public Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason) {
    return ofKind().redrive(plan, replies, caller(), reason);
  }

  public long discard(KeptPlan plan, String reason) {
    return ofKind().discard(plan, caller(), reason);
  }

  public long hold(KeptPlan plan, String reason) {
    return ofKind().hold(plan, caller(), reason);
  }

  private KeptQueries queries() {
    ready();
    return new KeptQueries(
        kind, database.config(), database.dataSource(), database.contents(), StoredMessage::text);
  }

  private KeptActions ofKind() {
    return new KeptActions(kind, actions());
  }

  Dialect ready() {
    return database.ready(PROBLEM);
  }
}
