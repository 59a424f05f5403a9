package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each capturing consumer has one handler, and each handler a consumer whose messages it gets. */
public class CapturedHandlersTest {
  private final CapturedHandlers handlers = new CapturedHandlers();

  /** A handler. */
  public static class Billing {
    /** Handles it. */
    @InboxHandler("billing")
    public void book(CapturedMessage message) {}
  }

  /** Another one for the same consumer. */
  public static class Accounts {
    /** Handles it. */
    @InboxHandler("billing")
    public void write(CapturedMessage message) {}
  }

  /** Handlers that cannot be called, or not in the transaction. */
  public static class Unfit {
    /** Has the wrong parameter. */
    @InboxHandler("text")
    public void handle(String text) {}

    @InboxHandler("hidden")
    void handle(CapturedMessage message) {}

    /** Leaves the transaction. */
    @InboxHandler("apart")
    @Transactional(TxType.REQUIRES_NEW)
    public void apart(CapturedMessage message) {}
  }

  @Test
  void oneHandlerForAListenerThatCapturesIsRight() throws Exception {
    found(Billing.class);

    assertThat(handlers.problems(Set.of("billing"), Set.of("shipping"), false)).isEmpty();
    assertThat(handlers.of("billing").orElseThrow().method())
        .isEqualTo(Billing.class.getMethod("book", CapturedMessage.class));
  }

  @Test
  void aConsumerWithoutAListenerNeedsAGuardThatCaptures() {
    found(Billing.class);

    assertThat(handlers.problems(Set.of(), Set.of("shipping"), true)).isEmpty();
    assertThat(handlers.problems(Set.of(), Set.of("shipping"), false))
        .singleElement()
        .asString()
        .contains(
            "Billing.book has @InboxHandler(\"billing\"), and no @Inbox with mode = CAPTURE has that name",
            "or if it has none, have InboxGuard.capture called");
  }

  /** Otherwise its empty onMessage would handle the messages, and they would be lost. */
  @Test
  void aListenerThatHandlesAtDeliveryIsRefusedWhoeverElseCaptures() {
    found(Billing.class);

    assertThat(handlers.problems(Set.of(), Set.of("billing"), true))
        .singleElement()
        .asString()
        .contains("write @Inbox(value = \"billing\", mode = CAPTURE) on its listener");
    assertThat(handlers.problems(Set.of("billing"), Set.of("billing"), true))
        .singleElement()
        .asString()
        .contains("has mode = CAPTURE at one place and not at another");
  }

  @Test
  void noHandlerAndTwoHandlersAreRefused() {
    assertThat(handlers.problems(Set.of("billing"), Set.of(), true))
        .singleElement()
        .asString()
        .contains("'billing' has mode = CAPTURE and no handler");

    found(Billing.class);
    found(Accounts.class);
    for (Collection<String> capturing : List.of(Set.of("billing"), Set.<String>of())) {
      assertThat(handlers.problems(capturing, Set.of(), true))
          .singleElement()
          .asString()
          .contains("'billing' has 2 handlers", "Accounts.write and", "Billing.book");
    }
  }

  @Test
  void aHandlerThatCannotBeCalledInItsTransactionIsRefused() {
    found(Unfit.class);

    assertThat(handlers.problems(Set.of("text", "hidden", "apart"), Set.of(), false))
        .satisfiesExactly(
            apart -> assertThat(apart).contains("Unfit.apart", "would leave the transaction"),
            hidden -> assertThat(hidden).contains("\"hidden\"", "needs a public instance method"),
            text -> assertThat(text).contains("\"text\"", "CapturedMessage as its only parameter"));
  }

  private void found(Class<?> type) {
    handlers.found(bean(type), FakeType.of(type));
  }

  private static Bean<?> bean(Class<?> type) {
    return (Bean<?>)
        Proxy.newProxyInstance(
            CapturedHandlersTest.class.getClassLoader(),
            new Class<?>[] {Bean.class},
            (proxy, method, arguments) -> Set.of(type, Object.class));
  }
}
