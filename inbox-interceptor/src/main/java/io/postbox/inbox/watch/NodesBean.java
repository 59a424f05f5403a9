package io.postbox.inbox.watch;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.ops.NodeQueries;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.Stores;
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
    Stores stores =
        database
            .stores()
            .orElseThrow(
                () ->
                    new InboxException(
                        "The nodes cannot be listed, because the inbox is not ready: "
                            + database.problem(),
                        null));
    return new NodeQueries(database.dataSource(), stores.nodes()).list();
  }
}
