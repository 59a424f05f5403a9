package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxGuard;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.Stateless;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListenerDiscoveryTest {

  @Test
  void aListenerThatHandsOnToAGuardedBeanIsOneOfItsEndpoints() {
    assertThat(listeners(DirectMdb.class)).containsExactly("DirectMdb");
    assertThat(listeners(NamedMdb.class)).containsExactly("front");
    assertThat(listeners(ConstructorMdb.class)).hasSize(1);
    assertThat(listeners(SetterMdb.class)).hasSize(1);
    assertThat(listeners(InheritingMdb.class)).hasSize(1);
  }

  @Test
  void alsoThroughOthersThroughInterfacesAndOneOfMany() {
    assertThat(listeners(ThroughOthersMdb.class)).hasSize(1);
    assertThat(listeners(InterfaceMdb.class)).hasSize(1);
    assertThat(listeners(InstanceMdb.class)).hasSize(1);
    assertThat(listeners(WildcardMdb.class)).hasSize(1);
  }

  @Test
  void aBeanThatBringsMessagesToTheGuardIsOneToo() {
    assertThat(listeners(GuardMdb.class)).hasSize(1);
  }

  /** To pause it would be to stop what has nothing to do with the inbox's database. */
  @Test
  void aListenerThatHasNothingToDoWithTheInboxIsNot() {
    assertThat(listeners(OtherMdb.class)).isEmpty();
    assertThat(listeners(AnythingMdb.class)).isEmpty();
    assertThat(listeners(NotInjectedMdb.class)).isEmpty();
  }

  @Test
  void aGuardedListenerIsKnownAnyway() {
    ListenerDiscovery fanOut = new ListenerDiscovery();
    fanOut.seen(DirectMdb.class);
    fanOut.guarded(DirectMdb.class);

    assertThat(fanOut.listeners()).isEmpty();
  }

  private static Set<String> listeners(Class<?> messageDriven) {
    ListenerDiscovery fanOut = new ListenerDiscovery();
    for (Class<?> type :
        List.of(messageDriven, Clerk.class, Office.class, Porter.class, Stranger.class)) {
      fanOut.seen(type);
    }
    fanOut.guarded(Clerk.class);
    return fanOut.listeners();
  }

  interface Desk {}

  /** The guarded one. */
  static class Clerk implements Desk {}

  @Stateless
  static class Office {
    @EJB Porter porter;
    @Inject Clerk clerk;
  }

  static class Porter {
    @Inject Office office;
  }

  static class Stranger {
    @Inject String text;
    @Inject Stranger another;
  }

  @MessageDriven
  static class DirectMdb {
    @Inject Clerk clerk;
  }

  @MessageDriven(name = "front")
  static class NamedMdb {
    @Inject Clerk clerk;
  }

  @MessageDriven
  static class ConstructorMdb {
    @Inject
    ConstructorMdb(Clerk clerk) {}
  }

  @MessageDriven
  static class SetterMdb {
    @Inject
    void clerk(Clerk clerk) {}
  }

  abstract static class Listener {
    @Inject Clerk clerk;
  }

  @MessageDriven
  static class InheritingMdb extends Listener {}

  @MessageDriven
  static class ThroughOthersMdb {
    @EJB Porter porter;
  }

  @MessageDriven
  static class InterfaceMdb {
    @Inject Desk desk;
  }

  @MessageDriven
  static class InstanceMdb {
    @Inject Instance<Clerk> clerks;
  }

  @MessageDriven
  static class WildcardMdb {
    @Inject Instance<? extends Desk> desks;
  }

  @MessageDriven
  static class GuardMdb {
    @Inject InboxGuard guard;
  }

  @MessageDriven
  static class OtherMdb {
    @Inject Stranger stranger;
  }

  @MessageDriven
  static class AnythingMdb {
    @Inject Instance<Object> anything;
  }

  @MessageDriven
  static class NotInjectedMdb {
    Clerk clerk;
  }
}
