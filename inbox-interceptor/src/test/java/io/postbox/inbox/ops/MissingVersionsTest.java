package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.VersionGap.Versions;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissingVersionsTest {
  @Test
  void thoseThatWereDiscardedAreNotMissing() {
    assertThat(MissingVersions.between(4, 8, List.of())).containsExactly(new Versions(5, 7));
    assertThat(MissingVersions.between(4, 6, List.of())).containsExactly(new Versions(5, 5));
    assertThat(MissingVersions.between(4, 9, List.of(6L)))
        .containsExactly(new Versions(5, 5), new Versions(7, 8));
    assertThat(MissingVersions.between(4, 9, List.of(5L, 6L))).containsExactly(new Versions(7, 8));
    assertThat(MissingVersions.between(4, 9, List.of(7L, 8L))).containsExactly(new Versions(5, 6));
    assertThat(MissingVersions.between(4, 6, List.of(5L))).isEmpty();
    assertThat(MissingVersions.between(0, 1_000_000_000, List.of(2L)))
        .containsExactly(new Versions(1, 1), new Versions(3, 999_999_999));
  }

  @Test
  void rangesAreReadable() {
    assertThat(new Versions(3, 3)).hasToString("3");
    assertThat(new Versions(5, 7)).hasToString("5 to 7");
  }
}
