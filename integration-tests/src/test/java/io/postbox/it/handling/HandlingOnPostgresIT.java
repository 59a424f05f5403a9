package io.postbox.it.handling;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** Database and broker commit the delivery together, in two phases. */
@ArquillianTest
class HandlingOnPostgresIT extends HandlingTests {
  private static final String SERVICE = "handling-pg";
  private static final String DATA_SOURCE = "jdbc/pg";

  HandlingOnPostgresIT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(HandlingOnPostgresIT.class, SERVICE, DATA_SOURCE);
  }
}
