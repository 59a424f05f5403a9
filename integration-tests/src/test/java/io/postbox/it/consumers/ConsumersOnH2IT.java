package io.postbox.it.consumers;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

/** The database takes part last, in one phase. */
@Tag("full")
@ArquillianTest
class ConsumersOnH2IT extends ConsumersTests {
  private static final String SERVICE = "consumers";

  ConsumersOnH2IT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(ConsumersOnH2IT.class, SERVICE, "java:comp/DefaultDataSource");
  }
}
