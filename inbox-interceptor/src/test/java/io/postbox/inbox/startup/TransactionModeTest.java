package io.postbox.inbox.startup;

import static io.postbox.inbox.startup.TransactionMode.CALLERS;
import static io.postbox.inbox.startup.TransactionMode.JOINED;
import static io.postbox.inbox.startup.TransactionMode.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import io.postbox.inbox.startup.InboxAnnotations.Use;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.Singleton;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionModeTest {

  @Test
  void aMessageDrivenBeanJoinsUnlessItKeepsTheTransactionAway() {
    assertThat(uses(Listener.class))
        .containsExactly(new Use("c", Listener.class.getName() + ".onMessage", JOINED, false));
    assertThat(uses(Without.class))
        .containsExactly(new Use("c", Without.class.getName() + ".onMessage", OWN, false));
    assertThat(uses(WithoutOnMethod.class)).extracting(Use::mode).containsExactly(OWN);
    assertThat(uses(WithOnMethod.class)).extracting(Use::mode).containsExactly(JOINED);
  }

  @Test
  void aCapturingListenerIsKnownAsOne() {
    assertThat(uses(Capturing.class)).extracting(Use::captures).containsExactly(true);
  }

  @MessageDriven
  private static final class Capturing {
    @Inbox(value = "c", mode = InboxMode.CAPTURE)
    public void onMessage(Message message) {}
  }

  @Test
  void theAttributeOfASessionBeanDecides() {
    assertThat(uses(Session.class)).extracting(Use::mode).containsExactly(JOINED);
    assertThat(uses(Never.class)).extracting(Use::mode).containsExactly(OWN);
    assertThat(uses(Supports.class)).extracting(Use::mode).containsExactly(CALLERS);
    assertThat(uses(RequiresNew.class)).extracting(Use::mode).containsExactly(JOINED);
  }

  @Test
  void theCallerOfAnOtherBeanDecidesUnlessItIsTransactional() {
    assertThat(uses(Bean.class)).extracting(Use::mode).containsExactly(CALLERS);
    assertThat(uses(TransactionalBean.class)).extracting(Use::mode).containsExactly(JOINED);
    assertThat(uses(NotSupportedBean.class)).extracting(Use::mode).containsExactly(OWN);
  }

  /** Only there a rollback has the message redelivered by itself. */
  @Test
  void anInstanceOfAMessageDrivenBeanIsOneOfItsOwnClass() {
    assertThat(TransactionMode.isMessageDriven(Listener.class)).isTrue();
    assertThat(TransactionMode.isMessageDriven(Session.class)).isFalse();
    assertThat(TransactionMode.isMessageDriven(SessionBelow.class)).isFalse();
    assertThat(TransactionMode.isMessageDriven(TransactionalBean.class)).isFalse();
  }

  @Test
  void eachGuardedMethodIsListedAndNoOther() {
    assertThat(uses(Several.class))
        .containsExactlyInAnyOrder(
            new Use("one", Several.class.getName() + ".onOne", CALLERS, false),
            new Use("other", Several.class.getName() + ".onOther", JOINED, false));
    assertThat(uses(Abstract.class)).isEmpty();
  }

  @MessageDriven
  @Inbox("c")
  static class Listener {
    public void onMessage(Message message) {}

    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void help(String text) {}
  }

  @MessageDriven
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  static class Without {
    public void onMessage(Message message) {}
  }

  @MessageDriven
  @Inbox("c")
  static class WithoutOnMethod {
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {}
  }

  @MessageDriven
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  static class WithOnMethod {
    @TransactionAttribute(TransactionAttributeType.REQUIRED)
    public void onMessage(Message message) {}
  }

  @Stateless
  static class SessionBelow extends Listener {}

  @Stateless
  @Inbox("c")
  static class Session {
    public void onMessage(Message message) {}
  }

  @Singleton
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.NEVER)
  static class Never {
    public void onMessage(Message message) {}
  }

  @Stateless
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.SUPPORTS)
  static class Supports {
    public void onMessage(Message message) {}
  }

  @Stateless
  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  static class RequiresNew {
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED) // means nothing here
  static class Bean {
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  @Transactional
  static class TransactionalBean {
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  static class NotSupportedBean {
    @Transactional(TxType.NOT_SUPPORTED)
    public void onMessage(Message message) {}
  }

  static class Several {
    @Inbox("one")
    public void onOne(Message message) {}

    @Inbox("other")
    @Transactional
    public void onOther(Message message) {}

    public void unguarded(Message message) {}
  }

  @Inbox("c")
  abstract static class Abstract {
    public void onMessage(Message message) {}
  }

  private static List<Use> uses(Class<?> bean) {
    InboxAnnotations use = InboxAnnotations.of(FakeType.of(bean));
    assertThat(use.problems()).isEmpty();
    return use.uses();
  }
}
