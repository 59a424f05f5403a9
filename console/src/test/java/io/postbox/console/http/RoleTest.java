package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleTest {
  static class Resource {
    @Requires(Role.OPERATOR)
    public void pause() {}

    public void forgotten() {}

    @Requires({Role.OPERATOR, Role.ERASER})
    public void either() {}
  }

  @Test
  void everyRoleSeesWhatAViewerSees() {
    assertThat(Role.of(name -> name.equals("postbox-payload")))
        .containsExactlyInAnyOrder(Role.VIEWER, Role.PAYLOAD);
    assertThat(Role.of(name -> false)).isEmpty();
    assertThat(Role.of(name -> name.equals("admin"))).isEmpty();
  }

  @Test
  void aMethodThatNamesNoRoleAnswersNobody() throws NoSuchMethodException {
    var forgotten = Resource.class.getMethod("forgotten");

    assertThat(RoleFilter.refusal(forgotten, Set.of(Role.values())))
        .map(Problem::slug)
        .contains("closed");
    assertThat(RoleFilter.refusal(null, Set.of(Role.values()))).isPresent();
  }

  @Test
  void aMethodAnswersItsRoleAlone() throws NoSuchMethodException {
    var pause = Resource.class.getMethod("pause");

    assertThat(RoleFilter.refusal(pause, Set.of(Role.VIEWER, Role.OPERATOR))).isEmpty();
    assertThat(RoleFilter.refusal(pause, Set.of(Role.VIEWER, Role.PAYLOAD, Role.EDITOR)))
        .map(Problem::detail)
        .contains("This needs the role postbox-operator.");
  }

  @Test
  void aMethodOfTwoRolesAnswersBoth() throws NoSuchMethodException {
    var either = Resource.class.getMethod("either");

    assertThat(RoleFilter.refusal(either, Set.of(Role.VIEWER, Role.OPERATOR))).isEmpty();
    assertThat(RoleFilter.refusal(either, Set.of(Role.VIEWER, Role.ERASER))).isEmpty();
    assertThat(RoleFilter.refusal(either, Set.of(Role.VIEWER)))
        .map(Problem::detail)
        .contains("This needs the role postbox-operator or postbox-eraser.");
  }
}
