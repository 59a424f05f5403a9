package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.console.http.Role;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ActionRolesTest {
  private static final Set<Role> ERASERS = Set.of(Role.ERASER);

  @Test
  void anErasureBelongsToErasersAndEveryOtherActionToOperators() {
    assertThat(ActionResource.allowed("erase", ERASERS)).isEqualTo(ERASERS);
    assertThat(ActionResource.allowed("redrive", ERASERS)).containsExactly(Role.OPERATOR);
    assertThat(ActionResource.allowed("discard", ERASERS)).containsExactly(Role.OPERATOR);
  }
}
