package io.postbox.crash.deployed;

import io.postbox.testkit.server.LibertyFolder;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application with {@link VersionsServlet}, and the queues to which it sends. */
public final class VersionsApplication {
  private static final String EMBEDDED =
      """
        <messagingEngine>
          <queue id="%1$s" failedDeliveryPolicy="KEEP_TRYING" redeliveryInterval="500"/>
        </messagingEngine>
        <jmsQueue id="%2$s" jndiName="%2$s">
          <properties.wasJms queueName="%1$s"/>
        </jmsQueue>
        <jmsActivationSpec id="postbox-sample/sample-ejb/%3$s">
          <properties.wasJms destinationRef="%2$s" maxConcurrency="5"/>
        </jmsActivationSpec>
      """;

  private static final String ARTEMIS =
      """
        <jmsQueue id="%2$s" jndiName="%2$s">
          <properties.artemis address="%1$s"/>
        </jmsQueue>
        <jmsActivationSpec id="postbox-sample/sample-ejb/%3$s">
          <properties.artemis destinationLookup="%2$s" destinationType="jakarta.jms.Queue"
                              maxSession="5" reconnectAttempts="-1"
                              setupAttempts="-1" setupInterval="1000"/>
        </jmsActivationSpec>
      """;

  private VersionsApplication() {}

  /**
   * Packs it into a server, before the start.
   *
   * @param isEmbedded whether the broker is the server's own; otherwise it is Artemis
   */
  public static void addTo(LibertyFolder folder, boolean isEmbedded) {
    String queue = queue(isEmbedded);
    folder.override(
        "versions.xml",
        "<server>\n"
            + queue.formatted("VERSIONS", "jms/versions", "VersionsMdb")
            + queue.formatted("VERSIONS-CAPTURED", "jms/versions-captured", "CapturedVersionsMdb")
            + "</server>\n");
    ShrinkWrap.create(WebArchive.class)
        .addClass(VersionsServlet.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("versions.war").toFile());
  }

  /** A queue with its listener in the sample: name in the broker, JNDI name, name of the bean. */
  static String queue(boolean isEmbedded) {
    return isEmbedded ? EMBEDDED : ARTEMIS;
  }
}
