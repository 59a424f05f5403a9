package io.postbox.it.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OneCommitTest {
  @Test
  void aTransactionIsCutFromItsNeighbours() {
    assertThat(OneCommit.transactions(List.of("BEGIN", "a", "COMMIT", "BEGIN", "b", "ROLLBACK")))
        .containsExactly(List.of("BEGIN", "a", "COMMIT"), List.of("BEGIN", "b", "ROLLBACK"));
  }

  @Test
  void aStatementThatCommitsByItselfBelongsToNoTransaction() {
    assertThat(OneCommit.transactions(List.of("a", "BEGIN", "b", "COMMIT", "c")))
        .containsExactly(List.of("a"), List.of("BEGIN", "b", "COMMIT"), List.of("c"));
  }
}
