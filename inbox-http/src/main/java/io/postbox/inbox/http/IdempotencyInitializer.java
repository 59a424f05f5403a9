package io.postbox.inbox.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the filter before all others of each web module that contains the jar. */
public final class IdempotencyInitializer implements ServletContainerInitializer {
  @Override
  public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
    FilterRegistration.Dynamic filter =
        context.addFilter("postbox-idempotency", new IdempotencyFilter());
    if (filter != null) {
      filter.setAsyncSupported(true);
      filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    }
  }
}
