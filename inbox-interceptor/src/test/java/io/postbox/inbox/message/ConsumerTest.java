package io.postbox.inbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.MessageIdResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerTest {
  interface OrderNumber extends MessageIdResolver {}

  private static Consumer named(String name) {
    return new Consumer(name, IdFrom.OUTBOX_MESSAGE_ID, "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void aBlankNameIsNone(String name) {
    assertThat(named(name).problems())
        .singleElement()
        .asString()
        .startsWith("the consumer name is blank");
  }

  @Test
  void theNameFitsItsColumn() {
    assertThat(named("x".repeat(100)).problems()).isEmpty();
    assertThat(named("x".repeat(101)).problems())
        .singleElement()
        .asString()
        .contains("has 101 characters: it must have 1 to 100");
    assertThat(named("a\nb").problems())
        .singleElement()
        .asString()
        .contains("none of them a control character");
  }

  @Test
  void aPropertyBelongsToProperty() {
    assertThat(new Consumer("shipping", IdFrom.PROPERTY, "orderNo").problems()).isEmpty();
    assertThat(new Consumer("shipping", IdFrom.PROPERTY, " ").problems())
        .containsExactly(
            "idFrom = PROPERTY needs property = \"...\", the property that holds the id");
  }

  @ParameterizedTest
  @EnumSource(names = {"OUTBOX_MESSAGE_ID", "JMS_MESSAGE_ID"})
  void anIdReadElsewhereNeedsNothingMore(IdFrom idFrom) {
    assertThat(new Consumer("shipping", idFrom, "").problems()).isEmpty();
    assertThat(new Consumer("shipping", idFrom, "orderNo").problems())
        .containsExactly(
            "property = \"orderNo\" has no effect with idFrom = "
                + idFrom
                + ": write idFrom = PROPERTY or leave it out");
    assertThat(new Consumer("shipping", idFrom, "", OrderNumber.class).problems())
        .containsExactly(
            "resolver = "
                + OrderNumber.class.getName()
                + " has no effect with idFrom = "
                + idFrom
                + ": write idFrom = RESOLVER or leave it out");
  }

  @Test
  void aResolverBelongsToResolver() {
    assertThat(new Consumer("shipping", IdFrom.RESOLVER, "", OrderNumber.class).problems())
        .isEmpty();
    assertThat(new Consumer("shipping", IdFrom.RESOLVER, "").problems())
        .containsExactly(
            "idFrom = RESOLVER needs resolver = ..., the class of the bean that finds the id");
  }
}
