package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import jakarta.annotation.Priority;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.jms.Message;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class CommitInterceptorTest {
  /** Of {@code @Transactional}, as its specification has it. */
  private static final int TRANSACTIONAL = Interceptor.Priority.PLATFORM_BEFORE + 200;

  private final CommitInterceptor interceptor = new CommitInterceptor();
  private final Map<String, Object> data = new HashMap<>();

  /** The inbox outside of it would have its row in another transaction than the effects. */
  @Test
  void theInboxIsWithinTheBeansTransactionAndTheCheckOutsideOfIt() {
    assertThat(priority(InboxInterceptor.class)).isGreaterThan(TRANSACTIONAL);
    assertThat(priority(CommitInterceptor.class)).isLessThan(TRANSACTIONAL);
  }

  @Test
  void aSilentRollbackAfterTheInboxHasReturnedIsAnException() {
    InvocationContext call = call("onMessage", Message.class, () -> ended(false));

    assertThatThrownBy(() -> interceptor.check(call))
        .isInstanceOf(InboxException.class)
        .hasMessageContainingAll("onMessage", "must not be acknowledged", "is redelivered");
  }

  @Test
  void aCallThatCommitsOrIsNotOverYetReturns() throws Exception {
    assertThat(interceptor.check(call("onMessage", Message.class, () -> ended(true))))
        .isEqualTo("done");
    assertThat(interceptor.check(call("onMessage", Message.class, () -> "done"))).isEqualTo("done");
  }

  @Test
  void theBeansExceptionIsPassedOn() {
    IllegalStateException thrown = new IllegalStateException("no stock");
    InvocationContext call =
        call(
            "onMessage",
            Message.class,
            () -> {
              ended(false);
              throw thrown;
            });

    assertThatThrownBy(() -> interceptor.check(call)).isSameAs(thrown);
  }

  @Test
  void aMethodThatIsNotGuardedPassesThrough() throws Exception {
    assertThat(interceptor.check(call("help", String.class, () -> "done"))).isEqualTo("done");
    assertThat(data).isEmpty();
  }

  private Object ended(boolean committed) {
    InvocationOutcome.of(call("onMessage", Message.class, () -> "")).ended(committed, null);
    return "done";
  }

  private static int priority(Class<?> interceptor) {
    return interceptor.getAnnotation(Priority.class).value();
  }

  private InvocationContext call(String name, Class<?> parameter, Callable<Object> rest) {
    return (InvocationContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {InvocationContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getMethod" -> method(name, parameter);
                  case "getContextData" -> data;
                  case "proceed" -> rest.call();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static Method method(String name, Class<?> parameter) throws NoSuchMethodException {
    return Bean.class.getMethod(name, parameter);
  }

  static class Bean {
    public void onMessage(Message message) {}

    public void help(String text) {}
  }
}
