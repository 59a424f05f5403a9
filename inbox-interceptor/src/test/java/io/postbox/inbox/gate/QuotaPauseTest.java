package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.gate.QuotaPause.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class QuotaPauseTest {
  private static final Map<String, Set<String>> BEANS =
      Map.of("shipping", Set.of("shop#Front"), "billing", Set.of("shop#Front", "shop#Billing"));

  private final Set<String> paused = new TreeSet<>();
  private final Set<String> busy = new TreeSet<>();
  private final List<String> done = new ArrayList<>();
  private final QuotaPause pause = new QuotaPause(Limit.QUOTA, Only::new);

  @Test
  void theEndpointsOfAConsumerThatIsFullStandStillUntilItIsNot() {
    pause.look(Set.of("billing"));
    pause.look(Set.of("billing"));
    assertThat(paused).containsExactly("shop#Billing", "shop#Front");

    pause.look(Set.of());
    assertThat(paused).isEmpty();
    assertThat(done).hasSize(4);
  }

  @Test
  void anEndpointPausedForAnotherConsumerStaysPaused() {
    pause.look(Set.of("billing"));
    paused.clear(); // somebody else, for instance the end of an outage, has resumed them
    pause.look(Set.of("billing", "shipping"));
    pause.look(Set.of("shipping"));

    assertThat(paused).containsExactly("shop#Front");
    pause.look(Set.of());
    assertThat(paused).isEmpty();
  }

  @Test
  void aHandlerAtWorkIsNotWaitedFor() {
    busy.add("shop#Front");
    pause.look(Set.of("shipping"));
    assertThat(paused).isEmpty();

    busy.clear();
    pause.look(Set.of("shipping"));
    assertThat(paused).containsExactly("shop#Front");
  }

  @Test
  void anEndpointPausedBySomebodyElseIsNotResumed() {
    paused.add("shop#Front");

    pause.look(Set.of("shipping"));
    pause.look(Set.of());

    assertThat(paused).containsExactly("shop#Front");
  }

  private final class Only implements Endpoints {
    private final Set<String> ids;

    Only(String consumer) {
      ids = BEANS.get(consumer);
    }

    @Override
    public Collection<String> running() {
      return ids.stream().filter(id -> !paused.contains(id)).toList();
    }

    @Override
    public boolean isBusy(String id) {
      return busy.contains(id);
    }

    @Override
    public void pause(String id) {
      paused.add(id);
      done.add("pause " + id);
    }

    @Override
    public void resume(String id) {
      paused.remove(id);
      done.add("resume " + id);
    }
  }
}
