package io.postbox.it.consumers;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** The database takes part in two phases. */
@ArquillianTest
class ConsumersOnPostgresIT extends ConsumersTests {
  private static final String SERVICE = "consumers-pg";

  ConsumersOnPostgresIT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(ConsumersOnPostgresIT.class, SERVICE, "jdbc/pg");
  }
}
