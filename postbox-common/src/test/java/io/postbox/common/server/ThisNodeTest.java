package io.postbox.common.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.NodeTable.Node;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ThisNodeTest {
  @Test
  void itsNameTellsProcessAndHost() {
    String name = ThisNode.name();
    Node node = ThisNode.node();

    assertThat(node.name()).isEqualTo(name).startsWith(ProcessHandle.current().pid() + "@");
    assertThat(name).hasSizeLessThanOrEqualTo(100);
    assertThat(node.host()).isNotBlank().doesNotContain(" ", "@");
    assertThat(ManagementFactory.getRuntimeMXBean().getName()).endsWith("@" + node.host());
  }

  @Test
  void itsVersionIsThatOfTheJars() {
    assertThat(ThisNode.node().version()).startsWith("0.").doesNotContain("$");
  }

  @Test
  void aNameWithoutAHostIsTakenAsAWhole() {
    assertThat(ThisNode.host("my virtual machine 0f")).isEqualTo("my virtual machine");
  }
}
