package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Queue;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class ProvidersTest {

  @Test
  void oneProvidersClassesHaveALoaderOrTheBeginningOfAPackageInCommon() {
    Class<?> ours = queue(new ClassLoader(ProvidersTest.class.getClassLoader()) {});
    Class<?> theirs = queue(new ClassLoader(ProvidersTest.class.getClassLoader()) {});

    assertThat(Providers.differ(ours, ours)).isFalse();
    assertThat(Providers.differ(ours, theirs)).isTrue();
    assertThat(Providers.differ(Providers.class, String.class)).isTrue();
    assertThat(Providers.differ(Providers.class, ProvidersTest.class)).as("one loader").isFalse();
  }

  private static Class<?> queue(ClassLoader provider) {
    return Proxy.newProxyInstance(
            provider, new Class<?>[] {Queue.class}, (proxy, method, arguments) -> null)
        .getClass();
  }
}
