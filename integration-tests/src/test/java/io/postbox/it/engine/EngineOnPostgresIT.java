package io.postbox.it.engine;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** The delivery's transaction, in two phases. */
@ArquillianTest
class EngineOnPostgresIT extends EngineTests {
  private static final String SERVICE = "engine-pg";

  EngineOnPostgresIT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(EngineOnPostgresIT.class, SERVICE, "jdbc/pg", EngineMdb.class);
  }
}
