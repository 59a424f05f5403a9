package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final Instant START = Instant.parse("2026-11-26T10:00:00Z");

  private final History history = new History();

  /**
   * A module.
   *
   * @param pending what waits in it
   */
  private record View(int pending) implements ModuleView {
    @Override
    public String module() {
      return "outbox";
    }

    @Override
    public JsonObject counts() {
      return Json.createObjectBuilder()
          .add("pending", pending)
          .add("paused", false)
          .add("limits", Json.createObjectBuilder().add("messages", 100))
          .build();
    }

    @Override
    public List<Concern> concerns() {
      return List.of();
    }

    @Override
    public Optional<List<RuntimeValue>> runtimeValues() {
      return Optional.empty();
    }

    @Override
    public List<NodeState> nodeStates() {
      return List.of();
    }

    @Override
    public JsonArray nodes() {
      return JsonArray.EMPTY_JSON_ARRAY;
    }
  }

  private static Instant minute(int number) {
    return START.plus(Duration.ofMinutes(number));
  }

  @Test
  void anHourOfNumbersIsKept() {
    for (int i = 0; i < 2 * History.MOST; i++) {
      history.add(minute(i), List.of(new View(i)));
    }

    List<JsonObject> rows = history.since(Instant.MIN);
    assertThat(rows).hasSize(History.MOST);
    assertThat(rows.get(0))
        .hasToString("{\"now\":\"2026-11-26T11:00:00.000Z\",\"outbox\":{\"pending\":60}}");
    assertThat(rows.get(History.MOST - 1).getJsonObject("outbox").getInt("pending"))
        .isEqualTo(2 * History.MOST - 1);
  }

  @Test
  void aPageAsksForTheRowsThatItDoesNotHave() {
    for (int i = 0; i < 3; i++) {
      history.add(minute(i), List.of(new View(i)));
    }

    assertThat(history.since(minute(1))).hasSize(1);
    assertThat(history.since(minute(2))).isEmpty();
  }
}
