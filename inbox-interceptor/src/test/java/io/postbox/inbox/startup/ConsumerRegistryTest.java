package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Consumer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConsumerRegistryTest {
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Consumer BY_NUMBER = new Consumer("shipping", IdFrom.PROPERTY, "orderNo");
  private static final Consumer BILLING = new Consumer("billing", IdFrom.OUTBOX_MESSAGE_ID, "");

  private final ConsumerRegistry names = new ConsumerRegistry();

  @Test
  void aNameOnTwoClassesIsSharedWhateverElseTheAnnotationsSay() {
    names.add(Second.class, Set.of(BY_NUMBER));
    names.add(First.class, Set.of(SHIPPING, BILLING));

    assertThat(names.all()).containsExactlyInAnyOrder("shipping", "billing");
    assertThat(names.shared()).containsOnlyKeys("shipping");
    assertThat(names.shared().get("shipping"))
        .containsExactly(First.class.getName(), Second.class.getName());
  }

  @Test
  void aClassSharesNothingWithItselfOrItsAbstractSuperclass() {
    names.add(First.class, Set.of(SHIPPING));
    names.add(First.class, Set.of(SHIPPING, BY_NUMBER));
    names.add(Base.class, Set.of(SHIPPING));

    assertThat(names.shared()).isEmpty();
  }

  abstract static class Base {}

  static class First extends Base {}

  static class Second {}
}
