package io.postbox.it.kept;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** The database knows one phase only. */
@ArquillianTest
class KeptOnH2IT extends KeptTests {
  private static final String SERVICE = "kept";
  private static final String DATA_SOURCE = "java:comp/DefaultDataSource";

  KeptOnH2IT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(KeptOnH2IT.class, SERVICE, DATA_SOURCE);
  }
}
