package io.postbox.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The MBeans of a running server.
 *
 * @param address the file in which the server says how to reach them
 */
public record MBeans(Path address) {

  /** A question to them. */
  @FunctionalInterface
  public interface Question<T> {
    /** Over a connection that lasts as long as the question. */
    T ask(MBeanServerConnection server) throws IOException, JMException;
  }

  /** Those of a server with this output folder. */
  public static MBeans ofServerIn(Path output) {
    return new MBeans(output.resolve("logs/state/com.ibm.ws.jmx.local.address"));
  }

  /** Asks over a connection of its own. */
  @SuppressWarnings("BanJNDI") // the server is the test's own, on this machine
  public <T> T ask(Question<T> question) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(Files.readString(address).strip()))) {
      return question.ask(connector.getMBeanServerConnection());
    } catch (IOException | JMException e) {
      throw new IllegalStateException("The server's MBeans do not answer through " + address, e);
    }
  }
}
