package io.postbox.it.handling;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

/** The database knows one phase only: it commits last in the transaction of the delivery. */
@Tag("full")
@ArquillianTest
class HandlingOnH2IT extends HandlingTests {
  private static final String SERVICE = "handling";
  private static final String DATA_SOURCE = "java:comp/DefaultDataSource";

  HandlingOnH2IT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(HandlingOnH2IT.class, SERVICE, DATA_SOURCE);
  }
}
