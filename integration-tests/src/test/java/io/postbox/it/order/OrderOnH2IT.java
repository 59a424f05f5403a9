package io.postbox.it.order;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

/** Fewer, because every transaction is written through to the file. */
@Tag("full")
@ArquillianTest
class OrderOnH2IT extends OrderTests {
  private static final String SERVICE = "order";

  OrderOnH2IT() {
    super(SERVICE, 15, 20);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(OrderOnH2IT.class, SERVICE, "java:comp/DefaultDataSource");
  }
}
