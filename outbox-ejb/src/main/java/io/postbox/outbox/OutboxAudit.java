package io.postbox.outbox;

import io.postbox.common.AuditTrail;

/**
 * What people did by hand, as the outbox's tables have it. Injectable, thread-safe; as a bean it
 * has this type only, because the other module has an {@link AuditTrail} too.
 */
public interface OutboxAudit extends AuditTrail {}
