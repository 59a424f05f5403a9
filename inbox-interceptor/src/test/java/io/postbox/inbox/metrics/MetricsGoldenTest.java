package io.postbox.inbox.metrics;

import io.postbox.common.testing.FakeMeters;
import io.postbox.common.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricsGoldenTest {
  /** A gauge of a bean, which exists only in a server. */
  private static final Pattern OF_A_BEAN = Pattern.compile("meters\\.show\\(\\s*\"([a-z_]+)\"");

  @Test
  void theMetricsKeepTheirNamesAndTags() throws IOException {
    FakeMeters meters = new FakeMeters();
    Set<String> consumers = Set.of("shipping");
    InboxMeters inbox =
        new InboxMeters(meters, "shop", consumers, consumer -> false, consumers, consumer -> false);
    for (RequestOutcome outcome : RequestOutcome.values()) {
      inbox.answered("shipping", outcome);
    }
    for (String name : ofBeans()) {
      inbox.show(name, "of a bean", () -> 0);
    }

    Golden.of("metrics").holds(meters.contract());
  }

  private static List<String> ofBeans() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        OF_A_BEAN
            .matcher(Files.readString(file))
            .results()
            .forEach(each -> names.add(each.group(1)));
      }
    }
    return names;
  }
}
