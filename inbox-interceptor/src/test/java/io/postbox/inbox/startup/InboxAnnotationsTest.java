package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.message.Consumer;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class InboxAnnotationsTest {

  @Test
  void aBeanOnItsClassIsFine() {
    InboxAnnotations use = use(OnClass.class);

    assertThat(use.problems()).isEmpty();
    assertThat(use.consumers())
        .containsExactly(new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""));
  }

  @Test
  void aBeanOnItsMethodIsFine() {
    InboxAnnotations use = use(OnMethod.class);

    assertThat(use.problems()).isEmpty();
    assertThat(use.consumers()).containsExactly(new Consumer("billing", IdFrom.PROPERTY, "no"));
  }

  @Test
  void aBlankOrTooLongOrUnprintableConsumerNameIsRefusedNamingTheClass() {
    assertThat(use(Blank.class).problems())
        .containsExactly(
            Blank.class.getName()
                + ": the consumer name is blank: write @Inbox(\"...\") with 1 to 100 characters");
    assertThat(new Consumer("c".repeat(101), IdFrom.JMS_MESSAGE_ID, "").problems())
        .singleElement()
        .asString()
        .contains("has 101 characters: it must have 1 to 100");
    assertThat(new Consumer("a\nb", IdFrom.JMS_MESSAGE_ID, "").problems()).hasSize(1);
    assertThat(new Consumer("c".repeat(100), IdFrom.JMS_MESSAGE_ID, "").problems()).isEmpty();
  }

  @Test
  void aPropertyAndItsIdSourceBelongTogether() {
    assertThat(new Consumer("c", IdFrom.PROPERTY, "").problems())
        .containsExactly(
            "idFrom = PROPERTY needs property = \"...\", the property that holds the id");
    assertThat(new Consumer("c", IdFrom.OUTBOX_MESSAGE_ID, "orderNo").problems())
        .singleElement()
        .asString()
        .contains("has no effect with idFrom = OUTBOX_MESSAGE_ID");
  }

  @Test
  void aResolverAndItsIdSourceBelongTogether() {
    assertThat(new Consumer("c", IdFrom.RESOLVER, "").problems())
        .containsExactly(
            "idFrom = RESOLVER needs resolver = ..., the class of the bean that finds the id");
    assertThat(new Consumer("c", IdFrom.PROPERTY, "no", OrderNumber.class).problems())
        .singleElement()
        .asString()
        .contains(OrderNumber.class.getName() + " has no effect with idFrom = PROPERTY");
    assertThat(use(Resolving.class).problems()).isEmpty();
    assertThat(use(Resolving.class).consumers())
        .containsExactly(new Consumer("c", IdFrom.RESOLVER, "", OrderNumber.class));
  }

  @Test
  void onlyMethodsWithASingleMessageAreGuarded() throws Exception {
    assertThat(InboxAnnotations.isGuarded(OnClass.class.getMethod("onMessage", Message.class)))
        .isTrue();
    assertThat(InboxAnnotations.isGuarded(OnClass.class.getMethod("onText", TextMessage.class)))
        .isTrue();
    assertThat(InboxAnnotations.isGuarded(OnClass.class.getMethod("other", String.class)))
        .isFalse();
    assertThat(
            InboxAnnotations.isGuarded(
                OnClass.class.getMethod("two", Message.class, Message.class)))
        .isFalse();
  }

  @Test
  void theMethodsAnnotationComesBeforeThatOfTheClass() throws Exception {
    Method method = Both.class.getMethod("onMessage", Message.class);
    assertThat(InboxAnnotations.consumerOf(Both.class, method).name()).isEqualTo("of the method");
  }

  @Test
  void aSubclassInheritsTheAnnotation() throws Exception {
    Method method = OnClass.class.getMethod("onMessage", Message.class);
    assertThat(InboxAnnotations.consumerOf(Subclass.class, method).name()).isEqualTo("shipping");
  }

  @Test
  void anAnnotationThatCannotBeFoundIsAnError() throws Exception {
    Method method = Object.class.getMethod("toString");
    assertThatThrownBy(() -> InboxAnnotations.consumerOf(Object.class, method))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("not on a stereotype");
  }

  @MessageDriven
  @Inbox("shipping")
  static class OnClass {
    public void onMessage(Message message) {}

    public void onText(TextMessage message) {}

    public void other(String text) {}

    public void two(Message one, Message other) {}
  }

  static class Subclass extends OnClass {}

  @MessageDriven
  static class OnMethod {
    @Inbox(value = "billing", idFrom = IdFrom.PROPERTY, property = "no")
    public void onMessage(Message message) {}
  }

  @Inbox("of the class")
  static class Both {
    @Inbox("of the method")
    public void onMessage(Message message) {}
  }

  @MessageDriven
  @Inbox(" ")
  static class Blank {
    public void onMessage(Message message) {}
  }

  interface OrderNumber extends MessageIdResolver {}

  @Inbox(value = "c", idFrom = IdFrom.RESOLVER, resolver = OrderNumber.class)
  static class Resolving {
    public void onMessage(Message message) {}
  }

  private static InboxAnnotations use(Class<?> bean) {
    return InboxAnnotations.of(FakeType.of(bean));
  }
}
