package io.postbox.it.engine;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** A transaction of the inbox's own, in one phase. */
@ArquillianTest
class OwnEngineOnPostgresIT extends EngineTests {
  private static final String SERVICE = "engine-own-pg";

  OwnEngineOnPostgresIT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(OwnEngineOnPostgresIT.class, SERVICE, "jdbc/pg", OwnEngineMdb.class);
  }
}
