package io.postbox.outbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.Durations;
import io.postbox.outbox.testing.LogLines;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that the outbox can say, said once. */
class LogCatalogueTest {
  static List<Method> sayings() {
    return Stream.of(OutboxLog.class, WatchLog.class)
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

    assertThat(lines).singleElement().asString().matches("OBX\\d{4} .+");
    assertThat(arguments).allSatisfy(argument -> assertThat(lines.get(0)).contains(told(argument)));
  }

  private static String told(Object argument) {
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
      saying.invoke(null, arguments.toArray());
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
    return type == Throwable.class
        ? new IllegalStateException("reason " + number)
        : "text " + number;
  }
}
