package io.postbox.benchmark.shop;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** What the messages say of an order. */
record Parcel(long order, String sku, int quantity) {
  static Parcel in(Message message) {
    try {
      String[] parts = message.getBody(String.class).split(";", -1);
      return new Parcel(Long.parseLong(parts[0]), parts[1], Integer.parseInt(parts[2]));
    } catch (JMSException failed) {
      throw new IllegalStateException("A message cannot be read", failed);
    }
  }
}
