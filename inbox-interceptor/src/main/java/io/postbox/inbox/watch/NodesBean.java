package io.postbox.inbox.watch;

import io.postbox.common.ops.NodeQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.ops.NodeDetails;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Lists the nodes outside of the caller's transaction. */
@ApplicationScoped
class NodesBean implements InboxNodes {
  @Inject InboxDatabase database;

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public List<InboxNode> list() {
    OperatorCalls calls = database.calls(NodeQueries.PROBLEM);
    return new NodeQueries<>(calls, database.stores().orElseThrow().nodes(), NodeDetails::fromRow)
        .list();
  }
}
