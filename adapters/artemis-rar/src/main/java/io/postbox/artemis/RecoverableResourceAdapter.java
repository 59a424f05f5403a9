package io.postbox.artemis;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import javax.transaction.xa.XAResource;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.ra.ActiveMQResourceAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Artemis' resource adapter, but recoverable. After a crash of its own, and when the broker was
 * gone for a while, Open Liberty asks it for a way to the broker, to finish what message-driven
 * beans had prepared. The original gives none, because the activation specs it is asked about are
 * not the very objects it was activated with; prepared transactions then stay so for ever.
 */
@SuppressWarnings("serial") // the original is serialisable by interface only
public final class RecoverableResourceAdapter extends ActiveMQResourceAdapter {
  private transient @Nullable XAConnection connection;

  /**
   * One way to the broker, whatever the activation specs are: there is one broker. Several that are
   * in use share a connection, which is kept until it does not work any more.
   */
  @Override
  public synchronized XAResource[] getXAResources(ActivationSpec[] specs) throws ResourceException {
    try {
      XAConnection open = connection;
      if (open == null) {
        open = connect();
        connection = open;
      }
      return new XAResource[] {open.createXASession().getXAResource()};
    } catch (JMSException failed) {
      ResourceException told =
          new ResourceException("The broker cannot be asked what it has prepared", failed);
      close(told);
      throw told; // the server asks again, and then gets a new connection
    }
  }

  @Override
  public void stop() {
    IllegalStateException failed =
        new IllegalStateException("The connection for recovery does not close");
    close(failed);
    super.stop();
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }

  private XAConnection connect() throws JMSException, ResourceException {
    ActiveMQConnectionFactory factory = getDefaultActiveMQConnectionFactory();
    String user = getUserName();
    return user == null || user.isEmpty()
        ? factory.createXAConnection()
        : factory.createXAConnection(user, getPassword());
  }

  private synchronized void close(Exception told) {
    XAConnection before = connection;
    connection = null;
    if (before != null) {
      try {
        before.close();
      } catch (JMSException failed) {
        told.addSuppressed(failed);
      }
    }
  }
}
