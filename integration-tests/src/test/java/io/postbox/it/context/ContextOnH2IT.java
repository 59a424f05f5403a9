package io.postbox.it.context;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

@Tag("full")
@ArquillianTest
class ContextOnH2IT extends ContextTests {
  private static final String SERVICE = "context";
  private static final String DATA_SOURCE = "java:comp/DefaultDataSource";

  ContextOnH2IT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(ContextOnH2IT.class, SERVICE, DATA_SOURCE);
  }
}
