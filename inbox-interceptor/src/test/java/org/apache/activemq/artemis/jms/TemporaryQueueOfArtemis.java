package org.apache.activemq.artemis.jms;

import jakarta.jms.TemporaryQueue;

/**
 * In the place of the one that the module does not know, whose provider is told by its package.
 *
 * @param getQueueName its name
 */
public record TemporaryQueueOfArtemis(String getQueueName) implements TemporaryQueue {
  @Override
  public void delete() {
    throw new UnsupportedOperationException();
  }
}
