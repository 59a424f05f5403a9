package io.postbox.it.context;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

@ArquillianTest
class ContextOnPostgresIT extends ContextTests {
  private static final String SERVICE = "context-pg";
  private static final String DATA_SOURCE = "jdbc/pg";

  ContextOnPostgresIT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(ContextOnPostgresIT.class, SERVICE, DATA_SOURCE);
  }
}
