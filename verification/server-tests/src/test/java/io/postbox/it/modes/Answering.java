package io.postbox.it.modes;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.message.Consumer;
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

/** Replies to a message or fails, as its own properties say; notes all that comes. */
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
      int delivery = note(message);
      answer(message, names(message, delivery <= number(message, "SendFailures")), when);
      return isToFail(message, delivery);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The same for a handler that the inbox guards: it retries the message and answers.
   *
   * @throws RetryLaterException if it is to fail, and the message says how long to wait
   */
  public static void handle(Message message, InboxContext inbox) {
    try {
      if (isToFail(message, note(message))) {
        int delay = number(message, "Delay");
        throw delay > 0
            ? new RetryLaterException(Duration.ofMillis(delay), "the handler waits")
            : new IllegalStateException("the handler fails");
      }
      if (message.getStringProperty("Answer") != null) {
        inbox.result(message.getStringProperty("Answer"));
      }
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int note(Message message) throws JMSException {
    String tag = message.getStringProperty("Tag");
    Database.at(setting("postbox.inbox.data-source"))
        .run("INSERT INTO modes_effect (tag) VALUES (?)", tag);
    return Notes.add(tag, Portrait.of(message));
  }

  private static boolean isToFail(Message message, int delivery) throws JMSException {
    return delivery <= number(message, "Failures");
  }

  private static void answer(Message message, JmsNames names, Executor when) throws JMSException {
    Route route =
        new JmsRoute(
            ANSWERING,
            message,
            names,
            PROOFS,
            when,
            new Providers(Runnable::run, System::nanoTime));
    if (message.getStringProperty("Answer") != null && route.mayReply()) {
      route.reply(message.getStringProperty("Answer"));
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

  private static int number(Message message, String property) throws JMSException {
    return message.getObjectProperty(property) instanceof Integer number ? number : 0;
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
