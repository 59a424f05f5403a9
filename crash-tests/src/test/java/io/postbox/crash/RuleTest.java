package io.postbox.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.bugs.SeededBug;
import io.postbox.crash.campaign.Mode;
import io.postbox.crash.scenario.Handlers;
import io.postbox.crash.soak.SoakFault;
import io.postbox.testkit.server.Rule;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that names a class or method that no longer exists does nothing, and says nothing. */
class RuleTest {
  /** Not in the class path of a test. A round in which its rule does nothing fails. */
  private static final String OF_LIBERTY = "com.ibm.ws.";

  static List<Rule> rules() {
    return Stream.of(
            SeededBug.all().stream(),
            Handlers.rules(Duration.ZERO).stream(),
            SoakFault.allRules().stream(),
            Arrays.stream(Mode.values()).flatMap(mode -> mode.rules().stream()))
        .flatMap(rules -> rules)
        .filter(rule -> !rule.type().startsWith(OF_LIBERTY))
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theMethodThatARuleChangesExists(Rule rule) throws ClassNotFoundException {
    Class<?> type = Class.forName(rule.type(), false, RuleTest.class.getClassLoader());

    assertThat(type.getDeclaredMethods()).extracting(Method::getName).contains(rule.method());
  }
}
