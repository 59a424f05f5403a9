package io.postbox.outbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.config.Durations;
import io.postbox.common.log.SharedLog;
import io.postbox.outbox.testing.LogLines;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that the outbox can say, said once. */
class LogCatalogueTest {
  private static final OperatorAction ACTION =
      new OperatorAction(
          new UUID(0, 7),
          "redrive",
          OperatorAction.State.FAILED,
          "ada",
          "why",
          "some letters",
          3,
          2,
          1,
          "a note",
          Instant.EPOCH,
          Instant.EPOCH);

  static List<Method> sayings() {
    return Stream.of(OutboxLog.class, WatchLog.class, SharedLog.class)
        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == void.class)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("sayings")
  void itIsOneLineThatLeavesNothingOut(Method saying) throws ReflectiveOperationException {
    List<Object> arguments = arguments(saying);

    List<String> lines = say(saying, arguments);

    assertThat(lines)
        .singleElement()
        .asString()
        .matches("OBX\\d{4} .+")
        .as("the inbox's words")
        .doesNotContain("inbox", "deliver", "handled", "consumer");
    assertThat(arguments).allSatisfy(argument -> assertThat(lines.get(0)).contains(told(argument)));
  }

  private static String told(Object argument) {
    if (argument instanceof OperatorAction action) {
      return action.subject();
    }
    if (argument instanceof Optional<?> optional) {
      return told(optional.orElseThrow());
    }
    return argument instanceof Duration time ? Durations.text(time) : String.valueOf(argument);
  }

  @Test
  void noTwoHaveOneId() throws ReflectiveOperationException {
    List<String> ids = new ArrayList<>();
    for (Method saying : sayings()) {
      ids.add(say(saying, arguments(saying)).get(0).substring(0, 7));
    }

    assertThat(ids).hasSizeGreaterThan(30).doesNotHaveDuplicates();
  }

  private static List<String> say(Method saying, List<Object> arguments)
      throws ReflectiveOperationException {
    try (LogLines lines = LogLines.all("io.postbox.outbox")) {
      saying.invoke(OutboxLog.SHARED, arguments.toArray());
      return lines.lines();
    }
  }

  private static List<Object> arguments(Method saying) {
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : saying.getParameterTypes()) {
      arguments.add(sample(type, 1_000 + arguments.size()));
    }
    return arguments;
  }

  private static Object sample(Class<?> type, int number) {
    if (type == int.class) {
      return number;
    }
    if (type == long.class) {
      return (long) number;
    }
    if (type == Duration.class) {
      return Duration.ofSeconds(number);
    }
    if (type == UUID.class) {
      return new UUID(0, number);
    }
    if (type == Optional.class) { // of an action
      return Optional.of(new UUID(0, number));
    }
    if (type == OperatorAction.class) {
      return ACTION;
    }
    return type == Throwable.class
        ? new IllegalStateException("reason " + number)
        : "text " + number;
  }
}
