package io.postbox.crash.scenario;

import io.postbox.crash.topology.MessageBroker;
import io.postbox.testkit.server.ServerKind;
import org.junit.jupiter.api.Tag;

/** OpenMQ's sessions have no transactions of their own, and no listener can be made to rest. */
@Tag("full")
class PayaraIT extends OtherServer {
  PayaraIT() {
    super(ServerKind.PAYARA, MessageBroker.OF_PAYARA);
  }

  @Override
  String sendsIn() {
    return "in one JTA transaction";
  }

  /**
   * A message whose transaction lost its connection may stay with OpenMQ until that starts again,
   * and a transaction from which the application was taken keeps what it has locked.
   */
  @Override
  void restore() {
    node().server().kill();
    node().start();
    nodes().mark(node(), "started again");
  }

  @Override
  boolean listenersAre(boolean atWork) {
    return true;
  }
}
