package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.platform.Endpoints;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QuotaPauseTest {
  private static final Map<String, Set<String>> BEANS =
      Map.of("shipping", Set.of("shop#Front"), "billing", Set.of("shop#Front", "shop#Billing"));

  private final Set<String> paused = new TreeSet<>();
  private final Set<String> busy = new TreeSet<>();
  private final List<String> done = new ArrayList<>();
  private final QuotaPause pause = new QuotaPause(Only::new);

  @Test
  void theEndpointsOfAConsumerThatIsFullStandStillUntilItIsNot() {
    look("billing");
    look("billing");
    assertThat(paused).containsExactly("shop#Billing", "shop#Front");

    look();
    assertThat(paused).isEmpty();
    assertThat(done).hasSize(4);
  }

  @Test
  void anEndpointPausedForAnotherConsumerStaysPaused() {
    look("billing");
    paused.clear(); // somebody else, for instance the end of an outage, has resumed them
    look("billing", "shipping");
    look("shipping");

    assertThat(paused).containsExactly("shop#Front");
    look();
    assertThat(paused).isEmpty();
  }

  @Test
  void aHandlerAtWorkIsNotWaitedFor() {
    busy.add("shop#Front");
    look("shipping");
    assertThat(paused).isEmpty();

    busy.clear();
    look("shipping");
    assertThat(paused).containsExactly("shop#Front");
  }

  @Test
  void anEndpointPausedBySomebodyElseIsNotResumed() {
    paused.add("shop#Front");

    look("shipping");
    look();

    assertThat(paused).containsExactly("shop#Front");
  }

  @Test
  void anEndpointPausedForAnotherLimitStaysPaused() {
    Limit quota = new Limit("shipping", Kind.KEPT);
    Limit backlog = new Limit("shipping", Kind.CAPTURED);
    pause.look(Set.of(quota));
    pause.look(Set.of(quota, backlog));
    pause.look(Set.of(backlog));

    assertThat(paused).containsExactly("shop#Front");
    pause.look(Set.of());
    assertThat(paused).isEmpty();
  }

  private void look(String... full) {
    pause.look(Stream.of(full).map(each -> new Limit(each, Kind.KEPT)).collect(Collectors.toSet()));
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
