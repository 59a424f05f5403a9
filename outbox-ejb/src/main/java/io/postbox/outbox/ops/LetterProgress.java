package io.postbox.outbox.ops;

import io.postbox.common.ops.RedriveCourse;
import io.postbox.common.ops.RedriveCourse.Phase;
import io.postbox.common.text.FlatJson;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where an action on dead letters goes on. Immutable.
 *
 * @param after the place up to which all letters are done
 * @param course of a redrive
 */
record LetterProgress(long after, RedriveCourse course) {

  /** The place in a row. */
  static LetterProgress of(String json, MessagePlan plan) {
    Map<String, String> fields = FlatJson.parse(json);
    return new LetterProgress(
        Long.parseLong(fields.getOrDefault("after", "0")), RedriveCourse.of(fields, plan.first()));
  }

  String toJson() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("after", String.valueOf(after));
    course.addTo(fields);
    return FlatJson.of(fields);
  }

  /** All letters of a page are done. */
  LetterProgress after(long seq) {
    return new LetterProgress(seq, course.phase() == Phase.FIRST ? course.watch() : course);
  }

  /** The same with another course. */
  LetterProgress with(RedriveCourse other) {
    return new LetterProgress(after, other);
  }
}
