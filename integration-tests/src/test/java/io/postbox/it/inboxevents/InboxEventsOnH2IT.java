package io.postbox.it.inboxevents;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;

/** On the embedded database. */
@Tag("full")
@ArquillianTest
class InboxEventsOnH2IT extends InboxEventsTests {
  private static final String SERVICE = "inboxevents";

  InboxEventsOnH2IT() {
    super(SERVICE);
  }

  @Deployment
  static EnterpriseArchive application() {
    return application(InboxEventsOnH2IT.class, SERVICE, "java:comp/DefaultDataSource");
  }
}
