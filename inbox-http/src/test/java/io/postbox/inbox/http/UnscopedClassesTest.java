package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnscopedClassesTest {
  static class Payments {
    @Idempotent("payments")
    public void pay() {}
  }

  static class CardPayments extends Payments {}

  private static <T> T answering(Class<T> type, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> answer));
  }

  private static String problems(Class<?> bean) {
    IdempotentExtension extension = new IdempotentExtension();
    extension.seen(
        answering(
            ProcessAnnotatedType.class, answering(AnnotatedType.class, UnscopedClassesTest.class)));
    extension.bean(answering(ProcessBean.class, answering(Bean.class, bean)));
    List<Object> problems = new ArrayList<>();
    extension.refuseUnseen(
        (AfterDeploymentValidation)
            Proxy.newProxyInstance(
                UnscopedClassesTest.class.getClassLoader(),
                new Class<?>[] {AfterDeploymentValidation.class},
                (proxy, method, arguments) -> {
                  problems.add(arguments[0]);
                  return null;
                }));
    return problems.toString();
  }

  @Test
  void theSuperclassOfABeanNeedsNoScope() {
    assertThat(problems(CardPayments.class)).doesNotContain(Payments.class.getName());
    assertThat(problems(UnscopedClassesTest.class)).contains(Payments.class.getName());
  }
}
