package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.Inbox;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class UselessAnnotationsTest {

  @Test
  void anAnnotationThatGuardsNothingIsRefusedNamingItsPlace() {
    assertThat(problems(NothingOnClass.class))
        .containsExactly(
            NothingOnClass.class.getName()
                + ": @Inbox on the class guards no method: it needs one with a single"
                + " jakarta.jms.Message parameter");
    assertThat(problems(NothingOnMethod.class))
        .containsExactly(
            NothingOnMethod.class.getName()
                + ": @Inbox on the method handle guards no method: it needs one with a single"
                + " jakarta.jms.Message parameter");
    assertThat(problems(OnInterface.class))
        .singleElement()
        .asString()
        .contains("@Inbox on an interface guards no method");
  }

  @Test
  void anInheritedMethodIsGuardedToo() {
    assertThat(problems(AnnotatedSubclass.class)).isEmpty();
    assertThat(problems(AbstractWithoutMethod.class)).isEmpty();
    assertThat(problems(OfAbstract.class)).isEmpty();
    assertThat(problems(OfGeneric.class)).isEmpty();
  }

  @Inbox("c")
  static class NothingOnClass {
    public void handle(String order) {}
  }

  static class NothingOnMethod {
    public void onMessage(Message message) {}

    @Inbox("c")
    public void handle(String order) {}
  }

  @Inbox("c")
  interface OnInterface {
    void onMessage(Message message);
  }

  static class Listener {
    public void onMessage(Message message) {}
  }

  @Inbox("c")
  static class AnnotatedSubclass extends Listener {}

  @Inbox("c")
  abstract static class AbstractWithoutMethod {}

  static class OfAbstract extends AbstractWithoutMethod {
    public void onMessage(Message message) {}
  }

  abstract static class Generic<M> {
    public abstract void onMessage(M message);
  }

  static class OfGeneric extends Generic<TextMessage> {
    @Inbox("c")
    @Override
    public void onMessage(TextMessage message) {}
  }

  private static List<String> problems(Class<?> bean) {
    return InboxAnnotations.of(FakeType.of(bean)).problems();
  }
}
