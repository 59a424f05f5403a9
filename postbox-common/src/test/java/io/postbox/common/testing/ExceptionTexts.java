package io.postbox.common.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Nothing reads the text of an exception: it may be a driver's or an application's, with data in
 * it, and clients would read it.
 */
public final class ExceptionTexts {
  private static final Set<String> READING =
      Set.of("getMessage", "getLocalizedMessage", "printStackTrace");

  private ExceptionTexts() {}

  /** The rule, but for those exceptions whose texts are for whoever asked. */
  public static ArchRule areNotRead(Class<?>... but) {
    return noClasses()
        .should()
        .callMethodWhere(
            describe(
                "it reads the text of an exception",
                (JavaMethodCall call) ->
                    READING.contains(call.getTarget().getName())
                        && call.getTargetOwner().isAssignableTo(Throwable.class)
                        && Stream.of(but).noneMatch(call.getTargetOwner()::isEquivalentTo)));
  }
}
