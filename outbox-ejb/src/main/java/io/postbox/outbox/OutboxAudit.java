package io.postbox.outbox;

import io.postbox.common.AuditTrail;

/**
 * What people did by hand, as the outbox's tables have it. Injectable, thread-safe. Inject this
 * type and not {@link AuditTrail}, of which each of the two modules has a bean.
 */
public interface OutboxAudit extends AuditTrail {}
