package io.postbox.crash.bugs;

import io.postbox.testkit.injected.InjectedFaults;
import io.postbox.testkit.server.Rule;
import java.util.Arrays;
import java.util.List;

/** Mistakes that an outbox or an inbox could make, put into the running server. */
public enum SeededBug {
  /** The relay takes a message for sent that no broker has. */
  COMPLETE_WITHOUT_SEND {
    @Override
    List<Rule> rules() {
      return List.of(at("outbox.jms.JmsTransport", "send", "AT ENTRY", "TRUE", "return"));
    }
  },

  /** The relay first deletes and commits, then sends; in between it dies. */
  DELETE_BEFORE_SEND {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "outbox.relay.JdbcPartitionClaims$JdbcClaim",
              "read",
              "AT EXIT",
              "$!.messages().size() > 0",
              """
              $0.connection.createStatement()
                  .executeUpdate("DELETE FROM outbox_message WHERE partition_no = " + $0.partition);
                 $0.connection.commit();
                 Runtime.getRuntime().halt(%s)\
              """
                  .formatted(Rule.EXIT)));
    }
  },

  /** The message does not wait for the business transaction, which then rolls back. */
  ENQUEUE_OUTSIDE_OF_THE_TRANSACTION {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "outbox.enqueue.Enqueuer",
              "write",
              "AT EXIT",
              "incrementCounter(\"enqueue\") == 1",
              """
              $1.createStatement().execute("COMMIT");
                 throw new IllegalStateException("the business has second thoughts")\
              """));
    }
  },

  /** The messages of a batch go in another order. */
  SEND_BACKWARDS {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "outbox.jms.JmsTransport",
              "sendAll",
              "AT ENTRY",
              "$1.size() > 1",
              "$1 = " + IN_SERVER + ".backwards($1)"));
    }
  },

  /** Nothing wakes the relay for new messages, and its poll finds none. */
  LOSE_WAKE_UPS {
    @Override
    List<Rule> rules() {
      return List.of(
          at("outbox.server.RelayBean", "wake", "AT ENTRY", "TRUE", "return"),
          at(
              "outbox.store.PollStore",
              "poll",
              "AT ENTRY",
              "TRUE",
              """
              return new io.postbox.outbox.store.PollStore$Poll(
                 java.util.Collections.emptyList(),
                 java.util.Optional.empty(),
                 java.util.Collections.emptySet())\
              """));
    }
  },

  /** The inbox takes each delivery for the first of its message. */
  HANDLE_DUPLICATES {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.store.InboxStore", "insertIfAbsent", "AT EXIT", "!$!", "return true"));
    }
  },

  /**
   * The inbox inserts, catches what that fails with, and takes the transaction for unharmed. It
   * looks nothing up before, which would save a message that is redelivered.
   */
  INSERT_AND_CATCH {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.message.Delivery$History", "mayHaveFailed", "AT EXIT", "TRUE", "return false"),
          at(
              "inbox.store.InboxStore",
              "insertIfAbsent",
              "AT EXIT",
              "!$!",
              IN_SERVER + ".insertInVain($1)"));
    }
  },

  /**
   * The handler fails, and the inbox keeps that to itself: the delivery commits without effects.
   */
  SWALLOW_THE_HANDLERS_FAILURE {
    @Override
    List<Rule> rules() {
      return List.of(
          handlerFails("TRUE"),
          at(
              "inbox.receiver.RunningHandlers",
              "during",
              "AT EXCEPTION EXIT",
              "TRUE",
              "return null"));
    }
  },

  /** The inbox's row stays when the handler fails, so the second delivery is skipped. */
  INBOX_ROW_IN_A_TRANSACTION_OF_ITS_OWN {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "inbox.store.InboxStore",
              "insertIfAbsent",
              "AT EXIT",
              "$!",
              "$1.createStatement().execute(\"COMMIT\")"),
          handlerFails("incrementCounter(\"handled\") == 1"));
    }
  },

  /**
   * A parked message leaves a row in the inbox, so that its redrive is skipped. A caller that asks
   * for an order's message again redrives all.
   */
  PARK_WITH_AN_INBOX_ROW {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "sample.shipping.ShippingMdb",
              "onMessage",
              "AT ENTRY",
              "TRUE",
              "throw new io.postbox.inbox.RejectedMessageException(\"the handler gives up\")"),
          at(
              "inbox.interceptor.JtaIdempotencyStore",
              "park",
              "AT EXIT",
              "TRUE",
              """
              $0.insertIfAbsent(
                 $1.delivery(), $1.messageId(), io.postbox.inbox.message.Outcome.PROCESSED)\
              """),
          at(
              "sample.orders.OrderService",
              "resend",
              "AT ENTRY",
              "TRUE",
              IN_SERVER + ".redriveAll()"));
    }
  },

  /** The delivery is acknowledged, and its own transaction has not committed when the end comes. */
  ACKNOWLEDGE_BEFORE_COMMIT {
    @Override
    List<Rule> rules() {
      return List.of(at("inbox.jta.TransactionBoundary", "call", "AT ENTRY", "TRUE", RETURNS));
    }
  },

  /** The delivery's own transaction rolls back without an exception, and is taken for committed. */
  ACKNOWLEDGE_A_SILENT_ROLLBACK {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "inbox.receiver.IdempotentReceiver",
              "receive",
              "AT EXIT",
              "TRUE",
              "$1.transaction().setRollbackOnly()"),
          at(
              "inbox.jta.TransactionBoundary$Course",
              "afterCompletion",
              "AT ENTRY",
              "TRUE",
              "$1 = jakarta.transaction.Status.STATUS_COMMITTED"));
    }
  },

  /** A message is acknowledged, and what captures it has not committed when the end comes. */
  ACKNOWLEDGE_BEFORE_CAPTURE_COMMITS {
    @Override
    List<Rule> rules() {
      return List.of(at("inbox.interceptor.InboxRuntime", "capture", "AT ENTRY", "TRUE", "return"));
    }
  },

  /**
   * A node that has found a captured message handles it, also while another node does. Handlers
   * take longer than a node needs to find a message.
   */
  HANDLE_WITHOUT_THE_LOCK {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.store.CapturedStore", "claim", "AT ENTRY", "TRUE", "return true"),
          at("inbox.interceptor.HandlerCalls", "call", "AT EXIT", "TRUE", "delay(15000)"));
    }
  },

  /** The mark that a captured message is done does not wait for its handler, which then fails. */
  END_BEFORE_HANDLING {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "inbox.store.CapturedStore",
              "read",
              "AT EXIT",
              "TRUE",
              "$0.finish($1, $!, false); $1.createStatement().execute(\"COMMIT\")"),
          at(
              "inbox.interceptor.HandlerCalls",
              "call",
              "AT ENTRY",
              "TRUE",
              "throw new IllegalStateException(\"the handler fails\")"));
    }
  },

  /**
   * Captured messages go by the time at which they can be handled, and not behind those with their
   * key: when the first one fails, the next one overtakes it.
   */
  ORDER_WITHOUT_THE_KEY {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.store.CapturedStore", "isBehindOthers", "AT EXIT", "$!", "return false"),
          firstHandlingFails());
    }
  },

  /** Of those that wait for one of their key, the one that came last is handled next. */
  RELEASE_THE_LATEST {
    @Override
    List<Rule> rules() {
      return List.of(
          firstHandlingFails(),
          at(
              "inbox.store.CapturedStore",
              "promote",
              "AT ENTRY",
              "TRUE",
              """
              $1.createStatement().execute(
                   "UPDATE inbox_stored SET status = 'PENDING' WHERE id = (SELECT MAX(id)"
                   + " FROM inbox_stored WHERE ordering_key = '" + $3 + "' AND status = 'HELD')");
                 $1.createStatement().execute(
                   "DELETE FROM inbox_key WHERE ordering_key = '" + $3 + "' AND NOT EXISTS"
                   + " (SELECT 1 FROM inbox_stored c WHERE c.ordering_key = '" + $3
                   + "' AND c.status <> 'PROCESSED')");
                 return\
              """));
    }
  },

  /** The order of versions is that of their arrival: each is taken for the next one. */
  ORDER_BY_ARRIVAL {
    @Override
    List<Rule> rules() {
      return List.of(placeIsBefore("TRUE"));
    }
  },

  /**
   * A released message is handled, and its row is deleted by nobody, so that a copy is sent again,
   * and soon. The inbox knows neither its version nor its id, by each of which it would skip it.
   */
  RELEASE_TWICE {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.interceptor.JtaIdempotencyStore", "delete", "AT ENTRY", "TRUE", "return"),
          at(
              "inbox.ops.HandBack",
              "patience",
              "AT ENTRY",
              "TRUE",
              "return java.time.Duration.ofSeconds(1)"),
          placeIsBefore("$2.version() <= $!.version()"),
          at("inbox.store.InboxStore", "insertIfAbsent", "AT EXIT", "!$!", "return true"));
    }
  },

  /** The next version is released before the one before it has committed, which then fails. */
  RELEASE_BEFORE_COMMIT {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "inbox.store.VersionStore",
              "moveOn",
              "AT EXIT",
              "TRUE",
              "$1.createStatement().execute(\"COMMIT\")"),
          at(
              "crash.deployed.VersionsListener",
              "onMessage",
              "AT ENTRY",
              "incrementCounter(\"version \" + armed.lastModified()) == 1",
              "throw new IllegalStateException(\"the handler fails\")"));
    }
  },

  /** Nobody marks the version that waits for the one that is handled. */
  FORGET_TO_RELEASE {
    @Override
    List<Rule> rules() {
      return List.of(at("inbox.store.VersionStore", "mark", "AT ENTRY", "TRUE", "return 0"));
    }
  },

  /** A discard of a dead letter lets the others of its partition go on. */
  RELEASE_OTHERS_WITH_A_DISCARD {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "outbox.store.OperatorStore",
              "discard",
              "AT EXIT",
              "TRUE",
              """
              $1.createStatement().executeUpdate(
                   "UPDATE outbox_message SET status = 'PENDING', attempts = 0"
                   + " WHERE status = 'DEAD' AND partition_no = " + $3)\
              """));
    }
  },

  /** The others of a redrive do not wait for the first ones, however these fare. */
  DO_NOT_WAIT_FOR_THE_FIRST {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "outbox.store.OperatorStore",
              "fate",
              "AT ENTRY",
              "TRUE",
              "return new io.postbox.outbox.store.OperatorStore$Fate(0, 0)"));
    }
  },

  /** The row of a redriven message is deleted, and the server dies before its copy is sent. */
  DELETE_BEFORE_REDRIVE {
    @Override
    List<Rule> rules() {
      return List.of(
          at(
              "inbox.ops.KeptRelease",
              "handBack",
              "AT EXIT",
              "$!.isPresent()",
              """
              $1.createStatement().execute("DELETE FROM inbox_stored WHERE id = " + $3);
                 $1.createStatement().execute("COMMIT");
                 Runtime.getRuntime().halt(%s)\
              """
                  .formatted(Rule.EXIT)));
    }
  },

  /** The copy of a redriven message does not come, and none is sent in its place. */
  SEND_NO_COPY {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.kept.JmsKeptSender", "send", "AT ENTRY", "TRUE", "return"),
          at(
              "inbox.store.HandBackStore",
              "due",
              "AT ENTRY",
              "TRUE",
              "return java.util.Collections.emptyList()"));
    }
  },

  /** The inbox believes any proof, also a wrong one. */
  BELIEVE_ANY_PROOF {
    @Override
    List<Rule> rules() {
      return List.of(at("inbox.jms.Proofs", "proves", "AT EXIT", "TRUE", "return true"));
    }
  },

  /** An answer goes to whatever queue the sender names. */
  REPLY_ANYWHERE {
    @Override
    List<Rule> rules() {
      return List.of(at("inbox.jms.JmsRoute", "mayReply", "AT EXIT", "TRUE", "return true"));
    }
  },

  /** The inbox neither counts what is kept aside nor remembers what it keeps itself. */
  IGNORE_QUOTAS {
    @Override
    List<Rule> rules() {
      return List.of(
          at("inbox.receiver.Limits", "counted", "AT ENTRY", "TRUE", "return"),
          at("inbox.receiver.Limits", "added", "AT ENTRY", "TRUE", "return"));
    }
  };

  private static final String IN_SERVER = InjectedFaults.class.getName();

  /** As if the delivery had ended well. */
  private static final String RETURNS =
      "return new io.postbox.inbox.receiver.DeliveryResult(null, null)";

  abstract List<Rule> rules();

  /** All of them together, to be armed one at a time. */
  public static List<Rule> all() {
    return Arrays.stream(values()).flatMap(bug -> bug.rules().stream()).toList();
  }

  Rule handlerFails(String condition) {
    return at(
        "sample.shipping.ShippingMdb",
        "onMessage",
        "AT ENTRY",
        condition,
        "throw new IllegalStateException(\"the handler fails\")");
  }

  /** The handler of the captured message that is the first to be handled. */
  Rule firstHandlingFails() {
    return at(
        "inbox.interceptor.HandlerCalls",
        "call",
        "AT ENTRY",
        "incrementCounter(\"captured \" + armed.lastModified()) == 1",
        // after others with its key were captured
        "delay(5000); throw new IllegalStateException(\"the handler fails\")");
  }

  /** An aggregate seems to stand right before the version that comes. */
  Rule placeIsBefore(String condition) {
    return at(
        "inbox.interceptor.JtaIdempotencyStore",
        "lockVersion",
        "AT EXIT",
        condition,
        """
        return new io.postbox.inbox.message.Standing(
             $!.first(), $2.version() - 1, $!.isNew(), $!.isAwaited())\
        """);
  }

  Rule at(String type, String method, String where, String condition, String action) {
    return new Rule(name(), "io.postbox." + type, method, where, condition, action);
  }
}
