package io.postbox.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.bugs.SeededBug;
import io.postbox.crash.campaign.Mode;
import io.postbox.crash.scenario.Handlers;
import io.postbox.crash.soak.SoakFault;
import io.postbox.testkit.server.Rule;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.byteman.check.RuleCheck;
import org.jboss.byteman.check.RuleCheckResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that no longer fits the class that it changes does nothing, and says nothing. */
class RuleTest {
  /** Not in the class path of a test. A round in which its rule does nothing fails. */
  private static final List<String> OF_SERVERS = List.of("com.ibm.ws.", "com.sun.messaging.");

  static List<Rule> rules() {
    return Stream.of(
            SeededBug.all().stream(),
            Handlers.rules(Duration.ZERO).stream(),
            SoakFault.allRules().stream(),
            Arrays.stream(Mode.values()).flatMap(mode -> mode.rules().stream()))
        .flatMap(rules -> rules)
        .filter(rule -> OF_SERVERS.stream().noneMatch(rule.type()::startsWith))
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theMethodThatARuleChangesExists(Rule rule) throws ClassNotFoundException {
    assertThat(methodsOf(rule)).isNotEmpty();
  }

  private static List<Method> methodsOf(Rule rule) throws ClassNotFoundException {
    Class<?> type = Class.forName(rule.type(), false, RuleTest.class.getClassLoader());
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(rule.method()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void itsConditionAndItsEffectFitTheTypesOfThatMethod(Rule rule) throws ClassNotFoundException {
    RuleCheck check = new RuleCheck();
    check.setPrintStream(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8));
    check.addRule(rule.part(), rule.script(Path.of("armed"), Path.of("hit")));
    check.checkRules();

    RuleCheckResult result = check.getResult();
    assertThat(result.getParseErrorMessages()).isEmpty();
    assertThat(result.getErrorMessages()).isEmpty();
    assertThat(result.getTypeErrorMessages()).hasSizeLessThan(methodsOf(rule).size());
  }
}
