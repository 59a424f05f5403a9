package io.postbox.common;

import java.time.Instant;
import java.util.Map;

/**
 * Selects entries of {@code postbox_audit} that meet all criteria, for {@link AuditTrail}.
 * Immutable and thread-safe; every method returns a new filter. Texts compare exactly, letter case
 * included.
 */
public final class AuditFilter extends MessageFilter<AuditFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A text. */
    MODULE,
    /** A text. */
    ACTION,
    /** A text. */
    PRINCIPAL,
    /** An {@link Instant}. */
    FROM,
    /** An {@link Instant}. */
    BEFORE
  }

  private static final AuditFilter ALL = new AuditFilter(Map.of());

  private AuditFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every entry. */
  public static AuditFilter all() {
    return ALL;
  }

  /** Only those of {@code outbox} or of {@code inbox}, if both share the tables. */
  public AuditFilter module(String name) {
    return with(Criterion.MODULE, name);
  }

  /** Only those of this action, for instance {@code redrive}. */
  public AuditFilter action(String name) {
    return with(Criterion.ACTION, name);
  }

  /** Only those of this person. */
  public AuditFilter principal(String name) {
    return with(Criterion.PRINCIPAL, name);
  }

  /** Only those recorded at this time or later, by the database's clock. */
  public AuditFilter from(Instant time) {
    return with(Criterion.FROM, time);
  }

  /** Only those recorded before this time, by the database's clock. */
  public AuditFilter before(Instant time) {
    return with(Criterion.BEFORE, time);
  }

  private AuditFilter with(Criterion criterion, Object value) {
    return new AuditFilter(and(criterion, value));
  }
}
