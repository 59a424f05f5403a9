package io.postbox.inbox;

import io.postbox.common.AuditTrail;

/**
 * What people did by hand, as the inbox's tables have it. Injectable, thread-safe; as a bean it has
 * this type only, because the other module has an {@link AuditTrail} too.
 */
public interface InboxAudit extends AuditTrail {}
