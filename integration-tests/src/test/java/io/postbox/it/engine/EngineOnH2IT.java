package io.postbox.it.engine;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** The delivery's transaction, with H2 as its last participant. */
@ArquillianTest
class EngineOnH2IT extends EngineTests {
  private static final String SERVICE = "engine";

  EngineOnH2IT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(EngineOnH2IT.class, SERVICE, "java:comp/DefaultDataSource", EngineMdb.class);
  }
}
