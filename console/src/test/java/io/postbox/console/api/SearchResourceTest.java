package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.http.Json;
import io.postbox.console.http.Query;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SearchResourceTest {
  private record Module(String module, Life life) implements Searchable {
    static Module of(boolean known, String note) {
      return new Module("outbox", new Life(known, List.of(), Optional.of(note)));
    }

    @Override
    public LookupPage<Json> find(Query query, String after, int size) {
      return NOTHING;
    }

    @Override
    public Life life(String id) {
      return life;
    }

    @Override
    public AuditTrail audit() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aModuleThatDoesNotKnowAMessageSaysNothingOfIt() {
    assertThat(
            SearchResource.life(
                    "m-1",
                    List.of(Module.of(false, "It was never here."), Module.of(true, "It waits.")))
                .map(Json::build)
                .map(life -> life.getString("note")))
        .contains("It waits.");
  }

  @Test
  void nobodyKnowsIt() {
    assertThat(SearchResource.life("m-1", List.of(Module.of(false, "It was never here."))))
        .isEmpty();
  }
}
