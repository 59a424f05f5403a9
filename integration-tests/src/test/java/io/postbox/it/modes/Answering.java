package io.postbox.it.modes;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.jms.ResentMessages;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.Route;
import io.postbox.it.tools.Database;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.microprofile.config.ConfigProvider;

/** Sends a message again or replies to it, as its own properties say; notes all that comes. */
public final class Answering {
  private static final Consumer ANSWERING = new Consumer("answering", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Proofs PROOFS = new Proofs("modes", () -> new byte[] {1});

  private Answering() {}

  /**
   * Has an effect in the transaction there is, and answers.
   *
   * @param when when it is sent
   * @return whether this delivery is to be rolled back
   */
  public static boolean handle(Message message, Executor when) {
    try {
      String tag = message.getStringProperty("Tag");
      int delivery = Notes.add(tag, Portrait.of(message));
      Database.at(setting("postbox.inbox.data-source"))
          .run("INSERT INTO modes_effect (tag) VALUES (?)", tag);
      if (attempt(message) == 0 || attempt(message) < number(message, "Copies")) {
        answer(message, names(message, delivery <= number(message, "SendFailures")), when);
      }
      return delivery <= number(message, "RollBacks");
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(Message message, JmsNames names, Executor when) throws JMSException {
    Route route =
        new JmsRoute(
            ANSWERING,
            message,
            names,
            PROOFS,
            when,
            new ResentMessages(end -> {}),
            new Providers(Runnable::run, System::nanoTime));
    if (message.getStringProperty("Answer") != null && route.mayReply()) {
      route.reply(message.getStringProperty("Answer"));
    }
    if (number(message, "Copies") > 0 && route.canSendRetry()) {
      route.sendRetry(
          new DelayedRetry(
              "known as this",
              Duration.ofMillis(number(message, "Delay")),
              attempt(message) + 1,
              2),
          () -> {});
    }
  }

  private static JmsNames names(Message message, boolean failing) throws JMSException {
    String listed = message.getStringProperty("Listed");
    return new JmsNames(
        setting("postbox.inbox.connection-factory"),
        Optional.empty(),
        Optional.empty(),
        new Replies(
            true, listed == null ? Set.of() : Set.of("queue:" + listed), Duration.ofMinutes(1)),
        name -> {
          if (failing) {
            throw new NamingException(name + " is not there this time");
          }
          return new InitialContext().lookup(name);
        });
  }

  private static int attempt(Message message) throws JMSException {
    return number(message, "InboxAttempt");
  }

  private static int number(Message message, String property) throws JMSException {
    return message.getObjectProperty(property) instanceof Integer number ? number : 0;
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
