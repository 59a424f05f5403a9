package io.postbox.inbox.kept;

import io.postbox.common.ops.NodeQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.ops.NodeDetails;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

@ApplicationScoped
class NodesBean extends OperatorBean implements InboxNodes {
  @Override
  public List<InboxNode> list() {
    OperatorCalls calls = database.calls(NodeQueries.PROBLEM);
    return new NodeQueries<>(calls, database.stores().orElseThrow().nodes(), NodeDetails::fromRow)
        .list();
  }
}
