package io.postbox.inbox;

import io.postbox.common.AuditTrail;

/**
 * The actions that people took by hand, as the inbox's tables have them. Injectable, thread-safe.
 * Inject this type and not {@link AuditTrail}, of which each of the two modules has a bean.
 */
public interface InboxAudit extends AuditTrail {}
