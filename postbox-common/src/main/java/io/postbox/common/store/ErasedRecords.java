package io.postbox.common.store;

import io.postbox.common.ErasureTarget;
import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.common.text.FlatJson;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The mentions of an erasure's target in the records of people's actions: in subjects and reasons
 * of the audit and of actions, in the actions' notes, and in the plans and progress of actions that
 * are over. Few rows, which people made one by one, so they are read in the order of their times.
 * Thread-safe.
 */
public final class ErasedRecords {
  private static final String ERASED = "[erased]";
  private static final int MOST_PAGES = 100;

  /** The states of actions that do not go on, and of plans, which may be made again. */
  private static final List<String> OVER = List.of("DONE", "CANCELLED", "PLANNED");

  private static final String IS_OVER = "m.state IN ('%s')".formatted(String.join("', '", OVER));

  /** A key that is shorter is only erased where it is a value, because it may be any number. */
  private static final int SHORTEST_WORD = 6;

  private static final Pattern COPY = Pattern.compile("message (\\S+) as ([^\\s:]+)(?:: .*)?");

  private final String module;
  private final String audit;
  private final String action;

  public ErasedRecords(String module, TableNames tables) {
    this.module = module;
    audit = tables.qualified("postbox_audit");
    action = tables.qualified(module + "_action");
  }

  /**
   * A text that is not to be kept, and what stands in its place.
   *
   * @param text found where no letter, digit, hyphen or underscore is around it
   * @param instead the replacement
   */
  private record Word(String text, String instead) {
    private static Word after(String prefix, String personal) {
      return new Word(prefix + personal, prefix + ERASED);
    }

    private String removedFrom(String from) {
      return Pattern.compile(
              "(?<![\\p{L}\\p{N}_-])%s(?![\\p{L}\\p{N}_-])".formatted(Pattern.quote(text)))
          .matcher(from)
          .replaceAll(Matcher.quoteReplacement(instead));
    }
  }

  /**
   * A row of a record.
   *
   * @param id its id
   * @param subject its new subject
   * @param reason its new reason
   * @param progress its new progress; {@code null} if it stays
   * @param isOver whether its plan is to go
   */
  public record Text(
      UUID id, String subject, String reason, @Nullable String progress, boolean isOver) {}

  /** The mentions of an aggregate or a person; messages are named by their ids. */
  public List<ErasurePlace<?>> of(ErasureTarget target) {
    if (target instanceof Aggregate aggregate) {
      String name = aggregate.type() + "/" + aggregate.id();
      return of(
          List.of(
              Word.after("aggregate-id=", aggregate.id()),
              Word.after(aggregate.type() + "/", aggregate.id())),
          List.of(aggregate.id(), name));
    }
    if (target instanceof DataSubject person) {
      String key = person.key();
      List<Word> words = new ArrayList<>();
      for (String name : List.of("aggregate-id=", "ordering-key=", "error-contains=")) {
        words.add(Word.after(name, key));
      }
      if (key.length() >= SHORTEST_WORD) {
        words.add(new Word(key, ERASED));
      }
      return of(words, List.of(key));
    }
    return List.of();
  }

  /**
   * @param values of which a plan that is over names none
   */
  private List<ErasurePlace<?>> of(List<Word> words, List<String> values) {
    return List.of(
        new Place(
            "audit",
            audit,
            "at",
            ofModule(),
            words,
            List.of(),
            "UPDATE %s SET subject = ?, reason = ? WHERE id = ?".formatted(audit)),
        new Place(
            "actions",
            action,
            "started_at",
            Conditions.NONE,
            words,
            values.stream().flatMap(ErasedRecords::inJson).distinct().toList(),
            """
            UPDATE %s SET subject = ?, reason = ?, progress = COALESCE(?, progress),
              note = CASE WHEN note IS NOT NULL THEN '%s' END,
              plan = CASE WHEN CAST(? AS BOOLEAN) THEN '{}' ELSE plan END
            WHERE id = ?
            """
                .formatted(action, ERASED)));
  }

  private Conditions ofModule() {
    return Conditions.of(Condition.equal("m.module", module));
  }

  /** A text as a value in a plan, in either way of writing it. */
  private static Stream<String> inJson(String value) {
    return Stream.of(
        '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"', FlatJson.value(value));
  }

  /**
   * A table of records.
   *
   * @param plans values of which no plan that is over may have one; none if the table has no plans
   */
  private record Place(
      String name,
      String table,
      String time,
      Conditions more,
      List<Word> words,
      List<String> plans,
      String update)
      implements ErasurePlace<Text> {

    @Override
    public LookupPage<Candidate<Text>> page(Connection connection, String after, int size)
        throws SQLException {
      LookupPage<Optional<Candidate<Text>>> read =
          SlicedSearch.page(connection, List.of(part()), this::candidate, after, size);
      return new LookupPage<>(
          read.items().stream().flatMap(Optional::stream).toList(), read.next(), read.note());
    }

    private boolean isOfActions() {
      return !plans.isEmpty();
    }

    private Part part() {
      List<String> any = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      for (Word word : words) {
        for (String column : List.of("subject", "reason", "note", "progress")) {
          if (isOfActions() || (!column.equals("note") && !column.equals("progress"))) {
            any.add("POSITION(CAST(? AS VARCHAR) IN m.%s) > 0".formatted(column));
            values.add(column.equals("progress") ? FlatJson.part(word.text()) : word.text());
          }
        }
      }
      for (String plan : plans) {
        any.add("(%s AND POSITION(CAST(? AS VARCHAR) IN m.plan) > 0)".formatted(IS_OVER));
        values.add(plan);
      }
      return Index.of(name, table, Column.time(time), Column.uuid("id"))
          .part(
              isOfActions()
                  ? "m.id, m.started_at, m.subject, m.reason, m.note, m.state, m.plan, m.progress"
                  : "m.id, m.at, m.module, m.subject, m.reason",
              more.and(new Condition("", "(" + String.join(" OR ", any) + ")", values)));
    }

    /** Empty if what was found is part of another word. */
    private Optional<Candidate<Text>> candidate(Part part, ResultSet row) throws SQLException {
      UUID id = row.getObject("id", UUID.class);
      String subject = row.getString("subject");
      String reason = row.getString("reason");
      Text text = new Text(id, without(subject), without(reason), null, false);
      boolean changes = !text.subject().equals(subject) || !text.reason().equals(reason);
      if (isOfActions()) {
        String note = Objects.requireNonNullElse(row.getString("note"), "");
        changes |= !without(note).equals(note);
      }
      if (isOfActions() && OVER.contains(row.getString("state"))) {
        String progress = row.getString("progress");
        Map<String, String> fields = FlatJson.parse(progress);
        Map<String, String> left = new LinkedHashMap<>(fields);
        left.replaceAll((field, value) -> without(value));
        boolean isNamed = !left.equals(fields);
        text =
            new Text(id, text.subject(), text.reason(), isNamed ? FlatJson.of(left) : null, true);
        changes |= isNamed || plans.stream().anyMatch(row.getString("plan")::contains);
      }
      return changes
          ? Optional.of(new Candidate<>(text, name, SlicedSearch.after(part, row)))
          : Optional.empty();
    }

    private String without(String text) {
      String left = text;
      for (Word word : words) {
        left = word.removedFrom(left);
      }
      return left;
    }

    @Override
    public int erase(Connection connection, List<Text> rows) throws SQLException {
      Sql.batch(
          connection,
          update,
          rows,
          each ->
              isOfActions()
                  ? new @Nullable Object[] {
                    each.subject(), each.reason(), each.progress(), each.isOver(), each.id()
                  }
                  : new @Nullable Object[] {each.subject(), each.reason(), each.id()});
      return rows.size();
    }
  }

  /**
   * Messages, and the copies that operators made of them by editing or resending them, as the audit
   * has them.
   *
   * @param ids the messages
   */
  public SortedSet<String> withCopies(Connection connection, SortedSet<String> ids)
      throws SQLException {
    SortedSet<String> all = new TreeSet<>(ids);
    boolean grows;
    do {
      grows = all.addAll(copiesOf(connection, all));
    } while (grows);
    return Collections.unmodifiableSortedSet(all);
  }

  private List<String> copiesOf(Connection connection, SortedSet<String> ids) throws SQLException {
    Part edits =
        Index.of("edits", audit, Column.time("at"), Column.uuid("id"))
            .part(
                "m.id, m.at, m.module, m.action, m.subject",
                ofModule().and(Condition.of("m.action IN ('edit', 'resend')")));
    List<String> copies = new ArrayList<>();
    Optional<String> after = Optional.of("");
    for (int pages = 0; pages < MOST_PAGES && after.isPresent(); pages++) {
      LookupPage<String> page =
          SlicedSearch.page(
              connection,
              List.of(edits),
              (part, row) -> row.getString("subject"),
              after.get(),
              SlicedSearch.MOST_EXAMINED);
      copies.addAll(
          page.items().stream()
              .map(COPY::matcher)
              .filter(copy -> copy.matches() && ids.contains(copy.group(1)))
              .map(copy -> copy.group(2))
              .toList());
      after = page.next();
    }
    return copies;
  }
}
