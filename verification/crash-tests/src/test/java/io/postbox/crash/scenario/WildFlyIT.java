package io.postbox.crash.scenario;

import io.postbox.crash.topology.MessageBroker;
import io.postbox.testkit.server.ServerKind;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;

/** Its factory may have local transactions, as adapters/wildfly says, and its listeners rest. */
@Tag("full")
class WildFlyIT extends OtherServer {
  private static final String LISTENER = "jboss.as:subsystem=ejb3,message-driven-bean=*,*";

  WildFlyIT() {
    super(ServerKind.WILDFLY, MessageBroker.OF_WILDFLY);
  }

  @Override
  String sendsIn() {
    return "in one local JMS transaction";
  }

  @Override
  String metrics() {
    return "/prometheus";
  }

  @Override
  boolean listenersAre(boolean atWork) {
    return active().equals(List.of(atWork, atWork, atWork));
  }

  private List<Boolean> active() {
    return node()
        .server()
        .mbeans()
        .ask(
            server -> {
              List<Boolean> active = new ArrayList<>();
              for (ObjectName listener : server.queryNames(new ObjectName(LISTENER), null)) {
                active.add((Boolean) server.getAttribute(listener, "deliveryActive"));
              }
              return active;
            });
  }
}
