package io.postbox.benchmark;

import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring Boot for a peer that needs it: without a web server, and without its logging. */
final class SpringContext {
  private SpringContext() {}

  /**
   * Starts one.
   *
   * @param configuration the class that it starts from
   * @param pool its data source
   * @param senders of what it sends
   * @param properties as in application.properties
   */
  static ConfigurableApplicationContext start(
      Class<?> configuration, DataSource pool, Senders senders, Map<String, Object> properties) {
    return new SpringApplicationBuilder(configuration)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .properties(properties)
        .initializers(
            context -> {
              // Not as beans of its own, for those it would close.
              context.getBeanFactory().registerSingleton("dataSource", pool);
              context.getBeanFactory().registerSingleton("senders", senders);
            })
        .run();
  }
}
