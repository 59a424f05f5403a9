package io.postbox.it.inboxevents;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/** On PostgreSQL. */
@ArquillianTest
class InboxEventsOnPostgresIT extends InboxEventsTests {
  private static final String SERVICE = "inboxevents-pg";

  InboxEventsOnPostgresIT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(InboxEventsOnPostgresIT.class, SERVICE, "jdbc/pg");
  }
}
