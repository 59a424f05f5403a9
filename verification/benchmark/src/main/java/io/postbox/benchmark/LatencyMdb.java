package io.postbox.benchmark;

import io.postbox.benchmark.arrival.Arrivals;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Notes when a message arrives, before anything else. */
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationLookup",
            propertyValue = "jms/latency"))
public class LatencyMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    long now = System.nanoTime();
    try {
      String text = message.getBody(String.class);
      Arrivals.arrived(text.substring(0, text.indexOf(' ')), now);
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
