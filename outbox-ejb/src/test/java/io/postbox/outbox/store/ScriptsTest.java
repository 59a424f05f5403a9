package io.postbox.outbox.store;

import io.postbox.common.testing.ScriptRules;
import java.util.List;

class ScriptsTest extends ScriptRules {
  ScriptsTest() {
    super(
        Schema.class,
        "outbox",
        List.of(
            "outbox_message",
            "outbox_partition",
            "outbox_held_key",
            "outbox_count",
            "outbox_node"));
  }
}
