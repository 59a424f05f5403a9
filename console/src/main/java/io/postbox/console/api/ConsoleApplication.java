package io.postbox.console.api;

import io.postbox.console.http.ActionRateFilter;
import io.postbox.console.http.BodyFilter;
import io.postbox.console.http.CsvFilter;
import io.postbox.console.http.ProblemMapper;
import io.postbox.console.http.RoleFilter;
import io.postbox.console.inbox.Consumers;
import io.postbox.console.inbox.Gaps;
import io.postbox.console.inbox.InboxPlans;
import io.postbox.console.inbox.Kept;
import io.postbox.console.inbox.ParkedEdits;
import io.postbox.console.outbox.Destinations;
import io.postbox.console.outbox.LetterEdits;
import io.postbox.console.outbox.Letters;
import io.postbox.console.outbox.OutboxPlans;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** The REST API: its resources depend on the modules that the application has. */
@ApplicationPath("/api")
public class ConsoleApplication extends Application {
  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes =
        new HashSet<>(
            Set.of(
                RoleFilter.class,
                BodyFilter.class,
                CsvFilter.class,
                ActionRateFilter.class,
                ProblemMapper.class,
                OverviewResource.class,
                ActionResource.class,
                ErasureResource.class,
                SearchResource.class));
    if (isThere("io.postbox.outbox.Outbox")) {
      classes.addAll(
          Set.of(Destinations.class, Letters.class, LetterEdits.class, OutboxPlans.class));
    }
    if (isThere("io.postbox.inbox.Inbox")) {
      classes.addAll(
          Set.of(Consumers.class, Gaps.class, Kept.class, ParkedEdits.class, InboxPlans.class));
    }
    return classes;
  }

  private static boolean isThere(String type) {
    try {
      Class.forName(type, false, ConsoleApplication.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }
}
