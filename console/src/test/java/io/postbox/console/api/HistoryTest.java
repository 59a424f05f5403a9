package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.KeptNumbers;
import io.postbox.common.ServiceNode;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final Instant START = Instant.parse("2026-11-26T10:00:00Z");

  private final History history = new History();

  private final Table table = new Table();

  /** What the tables of a module keep. */
  private static final class Table implements KeptNumbers {
    private String history = "";
    private int writes;
    private boolean isThere = true;

    @Override
    public Optional<String> history() {
      return Optional.of(history).filter(it -> !it.isEmpty());
    }

    @Override
    public void keepHistory(String numbers) {
      history = numbers;
      writes++;
    }
  }

  /**
   * A module.
   *
   * @param pending what waits in it
   */
  private record View(String module, int pending, Table table) implements ModuleView {
    @Override
    public JsonObject counts() {
      if (!table.isThere) {
        throw new IllegalStateException("no answer");
      }
      return Json.createObjectBuilder()
          .add("pending", pending)
          .add("paused", false)
          .add("limits", Json.createObjectBuilder().add("messages", 100))
          .build();
    }

    @Override
    public KeptNumbers numbers() {
      return table;
    }

    @Override
    public List<Concern> concerns() {
      return List.of();
    }

    @Override
    public List<RuntimeValue> runtimeValues() {
      return List.of();
    }

    @Override
    public List<ServiceNode> reports() {
      return List.of();
    }

    @Override
    public boolean isOwnFailure(Throwable thrown) {
      return false;
    }

    @Override
    public JsonArray nodes() {
      return JsonArray.EMPTY_JSON_ARRAY;
    }
  }

  private static Instant minute(int number) {
    return START.plus(Duration.ofMinutes(number));
  }

  private List<View> views(int pending) {
    return List.of(new View("outbox", pending, table));
  }

  private List<Integer> pending(History asked, int minute) {
    return asked.since(Instant.MIN, minute(minute), views(0)).stream()
        .map(row -> row.getJsonObject("outbox").getInt("pending"))
        .toList();
  }

  @Test
  void anHourOfNumbersIsKept() {
    for (int i = 0; i < 2 * History.MOST; i++) {
      history.sample(minute(i), views(i));
    }

    List<JsonObject> rows = history.since(Instant.MIN, minute(120), views(0));
    assertThat(rows).hasSize(History.MOST);
    assertThat(rows.get(0).toString())
        .isEqualTo(
            "{\"now\":\"2026-11-26T11:00:00.000Z\",\"node\":\"%s\",\"outbox\":{\"pending\":60}}"
                .formatted(History.NODE));
    assertThat(pending(history, 120)).last().isEqualTo(2 * History.MOST - 1);
    assertThat(table.history.length()).isLessThan(16_384);
  }

  @Test
  void aPageAsksForTheRowsThatItDoesNotHave() {
    for (int i = 0; i < 3; i++) {
      history.sample(minute(i), views(i));
    }

    assertThat(history.since(minute(1), minute(2), views(0))).hasSize(1);
    assertThat(history.since(minute(2), minute(2), views(0))).isEmpty();
  }

  @Test
  void aRestartFindsWhatTheNodeBeforeHasCounted() {
    history.sample(minute(0), views(7));
    history.sample(minute(1), views(8));

    History next = new History();
    assertThat(pending(next, 2)).containsExactly(7, 8);
    next.sample(minute(4), views(9));
    assertThat(pending(next, 4)).containsExactly(7, 8, 9);
    assertThat(pending(new History(), 61)).as("an hour at most").containsExactly(9);
  }

  @Test
  void oneNodeKeepsTheRowOfAMinute() {
    History other = new History();
    for (int i = 0; i < 3; i++) {
      history.sample(minute(i).plusSeconds(5), views(i));
      other.sample(minute(i).plusSeconds(40), views(100 + i));
    }

    assertThat(table.writes).isEqualTo(3);
    assertThat(pending(other, 3)).containsExactly(0, 1, 2);
  }

  @Test
  void theInboxKeepsWhereThereIsNoOutbox() {
    Table inbox = new Table();
    history.sample(minute(0), List.of(new View("inbox", 1, inbox), new View("outbox", 1, table)));
    assertThat(List.of(inbox.writes, table.writes)).containsExactly(0, 1);

    new History().sample(minute(0), List.of(new View("inbox", 1, inbox)));
    assertThat(inbox.writes).isEqualTo(1);
  }

  @Test
  void whatIsNoHistoryIsReplaced() {
    for (String foreign : List.of("{", "{}", "[1]", "[{}]", "[{\"now\":\"soon\"}]")) {
      table.history = foreign;
      History fresh = new History();
      assertThat(fresh.since(Instant.MIN, minute(0), views(0))).isEmpty();
      fresh.sample(minute(0), views(5));
      assertThat(pending(new History(), 0)).containsExactly(5);
    }
  }

  @Test
  void aMinuteThatCannotBeCountedIsToldOnceAndMissing() {
    Logger logger = Logger.getLogger("io.postbox.console");
    List<String> lines = new ArrayList<>();
    Filter before = logger.getFilter();
    logger.setFilter(line -> !lines.add(line.getMessage()));
    try {
      history.sample(minute(0), views(1));
      table.isThere = false;
      history.sample(minute(1), views(2));
      history.sample(minute(2), views(3));
      assertThat(lines).hasSize(1).first().asString().contains("PBC0004");

      table.isThere = true;
      history.sample(minute(3), views(4));
      assertThat(pending(history, 3)).containsExactly(1, 4);
      table.isThere = false;
      history.sample(minute(4), views(5));
      assertThat(lines).hasSize(2);
    } finally {
      logger.setFilter(before);
    }
  }
}
