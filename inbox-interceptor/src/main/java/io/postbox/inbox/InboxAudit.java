package io.postbox.inbox;

import io.postbox.common.AuditTrail;

/**
 * What people did by hand, as the inbox's tables have it. Injectable, thread-safe. Inject this type
 * and not {@link AuditTrail}, of which each of the two modules has a bean.
 */
public interface InboxAudit extends AuditTrail {}
