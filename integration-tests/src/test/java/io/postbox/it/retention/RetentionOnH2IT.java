package io.postbox.it.retention;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On the embedded database. */
@Tag("full")
@ArquillianTest
class RetentionOnH2IT extends RetentionTests {
  private static final String SERVICE = "retention";
  private static final String DATA_SOURCE = "java:comp/DefaultDataSource";

  RetentionOnH2IT() {
    super(SERVICE, DATA_SOURCE);
  }

  @Deployment(name = SERVICE, managed = false)
  static EnterpriseArchive application() {
    return application(RetentionOnH2IT.class, SERVICE, DATA_SOURCE);
  }

  @Test
  @Order(2)
  @OperateOnDeployment(SERVICE)
  void whatIsOldIsThere() {
    itSaysThatItLives();
  }

  @Test
  @Order(4)
  @OperateOnDeployment(SERVICE)
  void whatIsOldIsGone() {
    whatIsOldIsGoneAndNothingElse();
  }
}
