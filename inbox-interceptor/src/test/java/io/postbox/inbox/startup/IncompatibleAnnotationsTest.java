package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.Message;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.Test;

class IncompatibleAnnotationsTest {

  @Test
  void aBeanThatManagesItsTransactionsIsRefused() {
    assertThat(problems(BeanManaged.class))
        .containsExactly(
            BeanManaged.class.getName()
                + ": @Inbox needs container-managed transactions, and this bean manages its own:"
                + " its effects would be committed apart from the inbox's row. Remove"
                + " @TransactionManagement(BEAN)");
    assertThat(problems(BeanManagedSession.class)).hasSize(1);
  }

  @Test
  void anAttributeThatMeansNothingOnAMessageDrivenBeanIsRefused() {
    assertThat(problems(RequiresNew.class))
        .containsExactly(
            RequiresNew.class.getName()
                + ": @TransactionAttribute(REQUIRES_NEW) has no effect on the message-driven"
                + " onMessage: write REQUIRED, or leave it out, to handle messages in the"
                + " transaction of their delivery; or NOT_SUPPORTED for a transaction of the"
                + " inbox's own");
    assertThat(InboxAnnotations.of(FakeType.of(RequiresNew.class)).uses()).isEmpty();
  }

  @Test
  void acknowledgingBeforeTheHandlerHasRunIsRefused() {
    assertThat(problems(AsynchronousSession.class))
        .containsExactly(
            AsynchronousSession.class.getName()
                + ": @jakarta.ejb.Asynchronous would let the message be acknowledged before it is"
                + " handled, so that a crash or a failure loses it: remove it");
    assertThat(problems(ManagedAsynchronous.class))
        .singleElement()
        .asString()
        .contains("@jakarta.enterprise.concurrent.Asynchronous would let the message");
    assertThat(problems(FaultTolerantAsynchronous.class))
        .singleElement()
        .asString()
        .contains("@org.eclipse.microprofile.faulttolerance.Asynchronous would let the message");
  }

  @Test
  void retryingWithinTheTransactionIsRefused() {
    assertThat(problems(Retrying.class))
        .singleElement()
        .asString()
        .contains("@org.eclipse.microprofile.faulttolerance.Retry would retry within")
        .contains("postbox.inbox.backoff.first and max-attempts set when and how often");
  }

  @Test
  void allOfAClassIsReportedAtOnceAndNothingTwice() {
    assertThat(problems(AllAtOnce.class)).hasSize(4);
  }

  @Test
  void annotationsOnAnotherMethodDoNotMatter() {
    assertThat(problems(OnAnotherMethod.class)).isEmpty();
  }

  @MessageDriven
  @Inbox("c")
  @TransactionManagement(TransactionManagementType.BEAN)
  static class BeanManaged {
    public void onMessage(Message message) {}
  }

  @Stateless
  @Inbox("c")
  @TransactionManagement(TransactionManagementType.BEAN)
  static class BeanManagedSession {
    public void onMessage(Message message) {}
  }

  @MessageDriven
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  static class RequiresNew {
    public void onMessage(Message message) {}
  }

  @Stateless
  @Inbox("c")
  @jakarta.ejb.Asynchronous
  static class AsynchronousSession {
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  static class ManagedAsynchronous {
    @jakarta.enterprise.concurrent.Asynchronous
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  static class FaultTolerantAsynchronous {
    @org.eclipse.microprofile.faulttolerance.Asynchronous
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  @Retry
  static class Retrying {
    public void onMessage(Message message) {}
  }

  @MessageDriven
  @Inbox("c")
  @TransactionManagement(TransactionManagementType.BEAN)
  @TransactionAttribute(TransactionAttributeType.MANDATORY)
  @Retry
  static class AllAtOnce {
    @Retry
    public void onMessage(Message message) {}

    public void onOther(Message message) {}
  }

  @Inbox("c")
  static class OnAnotherMethod {
    public void onMessage(Message message) {}

    @Retry
    public void help(String text) {}
  }

  private static List<String> problems(Class<?> bean) {
    return InboxAnnotations.of(FakeType.of(bean)).problems();
  }
}
