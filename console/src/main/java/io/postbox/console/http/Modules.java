package io.postbox.console.http;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PlanRefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** The modules that this application has: outbox, inbox or both. */
@ApplicationScoped
public class Modules {
  private static final List<String> ALL = List.of("outbox", "inbox");

  @Inject @Any Instance<Half> halves;

  @Inject Instance<PayloadCipher> ciphers;

  /** The log says as little of exceptions as that module's which says least. */
  public void configureLog() {
    Config config = ConfigProvider.getConfig();
    ConsoleLog.EXCEPTIONS.tellOnlyClasses(
        halves.stream()
            .anyMatch(
                half ->
                    config
                        .getOptionalValue(
                            "postbox." + half.module() + ".error-detail", String.class)
                        .map(detail -> detail.strip().equalsIgnoreCase("class"))
                        .orElse(!ciphers.isUnsatisfied())));
  }

  /** The one for a path of the API, if that module is not there. */
  Optional<Problem> absent(String path) {
    String first = path.replaceFirst("^/", "").replaceFirst("/.*$", "");
    String module =
        switch (first) {
          case "destinations", "relay" -> "outbox";
          case "consumers" -> "inbox";
          default -> first;
        };
    return ALL.contains(module) && halves.stream().noneMatch(it -> it.module().equals(module))
        ? Optional.of(Problem.noModule(module))
        : Optional.empty();
  }

  Optional<Problem> problem(Throwable thrown) {
    if (thrown instanceof PlanRefusedException refused) {
      return Optional.of(PlanId.refused(refused.why()));
    }
    return halves.stream().flatMap(half -> half.problem(thrown).stream()).findFirst();
  }

  boolean isOwnFailure(Throwable thrown) {
    return halves.stream().anyMatch(half -> half.isOwnFailure(thrown));
  }
}
