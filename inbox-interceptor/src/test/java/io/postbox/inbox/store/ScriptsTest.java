package io.postbox.inbox.store;

import io.postbox.common.testing.ScriptRules;
import java.util.List;

class ScriptsTest extends ScriptRules {
  ScriptsTest() {
    super(
        Schema.class,
        "inbox",
        List.of("inbox_message", "inbox_failure", "inbox_result", "inbox_count", "inbox_node"));
  }
}
