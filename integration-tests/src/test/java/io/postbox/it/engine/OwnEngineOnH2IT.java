package io.postbox.it.engine;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

/** A transaction of the inbox's own, in one phase. */
@Tag("full")
@ArquillianTest
class OwnEngineOnH2IT extends EngineTests {
  private static final String SERVICE = "engine-own";

  OwnEngineOnH2IT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(
        OwnEngineOnH2IT.class, SERVICE, "java:comp/DefaultDataSource", OwnEngineMdb.class);
  }
}
