package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

class IdempotentMethodsTest {
  @Test
  void aMethodHasItsOwnSettingsOrThoseOfTheBeanOrItsSuperclass() throws Exception {
    assertThat(settings(OfItsOwn.class)).isEqualTo("own");
    assertThat(settings(OfTheClass.class)).isEqualTo("class");
    assertThat(settings(Inheriting.class)).isEqualTo("class");
  }

  @Test
  void elsewhereTheAnnotationIsMeantAndHasNoEffect() throws Exception {
    for (Class<?> type : new Class<?>[] {Implementing.class, Overriding.class, Stereotyped.class}) {
      assertThat(settings(type)).as(type.getName()).isNull();
      assertThat(IdempotentMethods.isMeant(type, type.getMethod("pay"))).isTrue();
    }
    assertThat(IdempotentMethods.isMeant(Plain.class, Plain.class.getMethod("pay"))).isFalse();
    assertThat(IdempotentMethods.isMeant(Overriding.class, Overriding.class.getMethod("look")))
        .isFalse();
  }

  private static String settings(Class<?> type) throws NoSuchMethodException {
    Idempotent settings = IdempotentMethods.settings(type, type.getMethod("pay"));
    return settings == null ? null : settings.value();
  }

  public static class Plain {
    public void pay() {}
  }

  @Idempotent("another")
  public static class OfItsOwn {
    @Idempotent("own")
    public void pay() {}
  }

  @Idempotent("class")
  public static class OfTheClass extends Plain {}

  public static class Inheriting extends OfTheClass {}

  public interface Api {
    @Idempotent("interface")
    void pay();
  }

  public static class Implementing implements Api {
    @Override
    public void pay() {}
  }

  public static class Overridden {
    @Idempotent("overridden")
    public void pay() {}

    public void look() {}
  }

  public static class Overriding extends Overridden {
    @Override
    public void pay() {}

    @Override
    public void look() {}
  }

  @Idempotent("stereotype")
  @Retention(RetentionPolicy.RUNTIME)
  @interface Stereotype {}

  @Stereotype
  public static class Stereotyped extends Plain {}
}
