package io.postbox.testkit.rar;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import javax.transaction.xa.XAResource;
import org.apache.activemq.artemis.ra.ActiveMQResourceAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Artemis' resource adapter, but recoverable. After a crash Open Liberty asks it for a way to the
 * broker, to finish what message-driven beans had prepared. The original gives none, because the
 * activation specs it is asked about are not the very objects it was activated with; what was
 * prepared then stays so for ever.
 */
@SuppressWarnings("serial") // the original is serialisable by interface only
public final class RecoverableResourceAdapter extends ActiveMQResourceAdapter {
  private transient @Nullable XAConnection recovering;

  /** One way to the broker, whatever the activation specs are: there is one broker. */
  @Override
  public synchronized XAResource[] getXAResources(ActivationSpec[] specs) throws ResourceException {
    closeRecovering();
    try {
      XAConnection connection = getDefaultActiveMQConnectionFactory().createXAConnection();
      recovering = connection;
      return new XAResource[] {connection.createXASession().getXAResource()};
    } catch (JMSException failed) {
      throw new ResourceException("The broker cannot be asked what it has prepared", failed);
    }
  }

  @Override
  public void stop() {
    try {
      closeRecovering();
    } catch (ResourceException failed) {
      throw new IllegalStateException(failed);
    } finally {
      super.stop();
    }
  }

  private synchronized void closeRecovering() throws ResourceException {
    XAConnection before = recovering;
    recovering = null;
    if (before != null) {
      try {
        before.close();
      } catch (JMSException failed) {
        throw new ResourceException("The connection of an earlier recovery does not close", failed);
      }
    }
  }
}
