package io.postbox.testkit.server;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
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
 * @param address how to reach them, asked anew for each question
 */
public record MBeans(Address address) {

  /** How to reach them. */
  @FunctionalInterface
  public interface Address {
    /** As a JMX service URL. */
    String get() throws IOException;
  }

  /** Those of an Open Liberty with this output folder. */
  public static MBeans ofLibertyIn(Path output) {
    return new MBeans(() -> addressOfLibertyIn(output));
  }

  static String addressOfLibertyIn(Path output) throws IOException {
    return Files.readString(output.resolve("logs/state/com.ibm.ws.jmx.local.address"));
  }

  /** That of a process on this machine, which is asked to open one. */
  static String addressOfProcess(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
      try {
        return machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("The server's process " + pid + " cannot be asked", e);
    }
  }

  /** A question to them. */
  @FunctionalInterface
  public interface Question<T> {
    /** Over a connection that lasts as long as the question. */
    T ask(MBeanServerConnection server) throws IOException, JMException;
  }

  /** Asks over a connection of its own. */
  @SuppressWarnings("BanJNDI") // the server is the test's own, on this machine
  public <T> T ask(Question<T> question) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(address.get().strip()))) {
      return question.ask(connector.getMBeanServerConnection());
    } catch (IOException | JMException e) {
      throw new IllegalStateException("The server's MBeans do not answer", e);
    }
  }
}
