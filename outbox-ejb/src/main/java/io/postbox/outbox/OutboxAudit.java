package io.postbox.outbox;

import io.postbox.common.AuditTrail;

/**
 * The record of people's actions, in the outbox's tables. Injectable, thread-safe. Inject this type
 * and not {@link AuditTrail}, of which each of the two modules has a bean.
 */
public interface OutboxAudit extends AuditTrail {}
