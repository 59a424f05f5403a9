package io.postbox.it.daily;

import io.postbox.inbox.Inbox;
import io.postbox.it.tools.Database;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Writes down what it handles. */
@Inbox("daily")
@MessageDriven
public class DailyMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    try {
      Database.at("jdbc/pg")
          .run("INSERT INTO daily_effect (text) VALUES (?)", message.getBody(String.class));
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
