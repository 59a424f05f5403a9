package io.postbox.it.business;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.it.business.BusinessService.Ending;
import io.postbox.it.business.web.BusinessBean;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Invariants;
import io.postbox.outbox.NoTransactionException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@ArquillianTest
class BusinessTransactionIT {
  @Inject BusinessService service;
  @Inject BusinessBean bean;
  @Inject Outbox outbox;
  @Inject OutboxStatistics statistics;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(BusinessTransactionIT.class, "business", Archives.settings("business"));
  }

  @AfterEach
  void nothingIsLeft() {
    Invariants.nothingPending(statistics);
    assertThat(Broker.depth("jms/business")).isZero();
  }

  @Test
  void aCommitInAnEjbSendsTheMessageOnce() {
    UUID id = service.place("ejb", Ending.COMMIT);
    assertThat(domainRows("ejb")).isOne();
    Invariants.nothingLostNothingDoubled(List.of(id), Broker.receive("jms/business", 1));
  }

  @Test
  void aCommitInACdiBeanOfTheWarSendsTheMessageOnce() {
    UUID id = bean.place("cdi", false);
    assertThat(domainRows("cdi")).isOne();
    Invariants.nothingLostNothingDoubled(List.of(id), Broker.receive("jms/business", 1));
  }

  @Test
  void aRuntimeExceptionLeavesNeitherRowNorMessage() {
    assertThatThrownBy(() -> service.place("exception", Ending.RUNTIME_EXCEPTION))
        .rootCause()
        .hasMessage("the business says no");
    assertThat(domainRows("exception")).isZero();
    onlyWhatIsEnqueuedNowComes();
  }

  @Test
  void setRollbackOnlyLeavesNeitherRowNorMessage() {
    service.place("given up", Ending.SET_ROLLBACK_ONLY);
    assertThat(domainRows("given up")).isZero();
    onlyWhatIsEnqueuedNowComes();
  }

  @Test
  void aFailingStatementLeavesNeitherRowNorMessage() {
    assertThatThrownBy(() -> service.place("twice", Ending.FAILING_SQL))
        .rootCause()
        .isInstanceOf(SQLException.class);
    assertThat(domainRows("twice")).isZero();
    onlyWhatIsEnqueuedNowComes();
  }

  @Test
  void aRollbackInACdiBeanLeavesNeitherRowNorMessage() {
    assertThatThrownBy(() -> bean.place("cdi fails", true))
        .hasMessageContaining("the business says no");
    assertThat(domainRows("cdi fails")).isZero();
    onlyWhatIsEnqueuedNowComes();
  }

  @Test
  void enqueueAfterSetRollbackOnlySaysThatItWouldNeverBeSent() {
    assertThatThrownBy(() -> service.enqueueAfterSetRollbackOnly("given up"))
        .rootCause()
        .isInstanceOf(NoTransactionException.class)
        .hasMessage(
            "The transaction is marked for rollback, so a message enqueued in it would never be"
                + " sent; nothing was written.");
  }

  @Test
  void enqueueWithoutATransactionSaysHowToGetOne() {
    assertThatThrownBy(() -> service.enqueueWithoutTransaction("from an EJB"))
        .rootCause()
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("There is no active JTA transaction")
        .hasMessageContaining("nothing was written")
        .hasMessageContaining("@TransactionAttribute(REQUIRED)")
        .hasMessageContaining("@Transactional");
    assertThatThrownBy(() -> outbox.enqueue(OutboxMessage.to("business").text("from a servlet")))
        .isInstanceOf(NoTransactionException.class);
    onlyWhatIsEnqueuedNowComes();
  }

  @Test
  void enqueueAllKeepsTheOrderOfTheList() {
    List<String> names = IntStream.range(0, 120).mapToObj(n -> "message " + n).toList();
    List<UUID> ids = service.placeAll(names);
    assertThat(ids).hasSize(120).doesNotHaveDuplicates();
    eventually(
        () ->
            assertThat(
                    Database.byDefault().column("SELECT name FROM business_arrival ORDER BY place"))
                .containsExactlyElementsOf(names));
  }

  /** A later message overtakes nothing: any message sent before it would be here. */
  private void onlyWhatIsEnqueuedNowComes() {
    UUID id = service.place("after " + UUID.randomUUID(), Ending.COMMIT);
    Invariants.nothingLostNothingDoubled(List.of(id), Broker.receive("jms/business", 1));
  }

  private static long domainRows(String name) {
    return Long.parseLong(
        Database.byDefault().value("SELECT COUNT(*) FROM business_domain WHERE name = ?", name));
  }
}
