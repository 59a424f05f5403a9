package io.postbox.it.order;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** A thousand versions of fifty aggregates. */
@ArquillianTest
class OrderOnPostgresIT extends OrderTests {
  private static final String SERVICE = "order-pg";

  OrderOnPostgresIT() {
    super(SERVICE, 50, 20);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(OrderOnPostgresIT.class, SERVICE, "jdbc/pg");
  }
}
