package io.postbox.inbox.ops;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Databases, drivers and persistence providers differ in what they make of a time. */
final class Times {
  private Times() {}

  static Instant instant(Object time) {
    if (time instanceof OffsetDateTime offset) {
      return offset.toInstant();
    }
    return ((Timestamp) time).toInstant();
  }
}
