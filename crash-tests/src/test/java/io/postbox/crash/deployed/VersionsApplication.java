package io.postbox.crash.deployed;

import io.postbox.testkit.server.ServerFolder;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application with {@link VersionsServlet}, and the queues to which it sends. */
public final class VersionsApplication {
  private static final String QUEUE =
      "  <queue id=\"%s\" failedDeliveryPolicy=\"KEEP_TRYING\" redeliveryInterval=\"500\"/>\n";

  private static final String EMBEDDED =
      """
      <server>
        <messagingEngine>
        %s  %s</messagingEngine>
        %s
        %s
      </server>
      """
          .formatted(
              QUEUE.formatted("VERSIONS"),
              QUEUE.formatted("VERSIONS-CAPTURED"),
              embedded("VERSIONS", "VersionsMdb"),
              embedded("VERSIONS-CAPTURED", "CapturedVersionsMdb"));

  private static final String ARTEMIS =
      """
      <server>
        %s
        %s
      </server>
      """
          .formatted(
              artemis("VERSIONS", "VersionsMdb"),
              artemis("VERSIONS-CAPTURED", "CapturedVersionsMdb"));

  private VersionsApplication() {}

  private static String embedded(String queue, String bean) {
    return """
        <jmsQueue id="jms/%2$s" jndiName="jms/%2$s">
          <properties.wasJms queueName="%1$s"/>
        </jmsQueue>
        <jmsActivationSpec id="postbox-sample/sample-ejb/%3$s">
          <properties.wasJms destinationRef="jms/%2$s" maxConcurrency="5"/>
        </jmsActivationSpec>
        """
        .formatted(queue, queue.toLowerCase(java.util.Locale.ROOT), bean);
  }

  private static String artemis(String queue, String bean) {
    return """
        <jmsQueue id="jms/%2$s" jndiName="jms/%2$s">
          <properties.artemis address="%1$s"/>
        </jmsQueue>
        <jmsActivationSpec id="postbox-sample/sample-ejb/%3$s">
          <properties.artemis destinationLookup="jms/%2$s" destinationType="jakarta.jms.Queue"
                              maxSession="5" reconnectAttempts="-1"
                              setupAttempts="-1" setupInterval="1000"/>
        </jmsActivationSpec>
        """
        .formatted(queue, queue.toLowerCase(java.util.Locale.ROOT), bean);
  }

  /**
   * Packs it into a server, before the start.
   *
   * @param isEmbedded whether the broker is the server's own; otherwise it is Artemis
   */
  public static void addTo(ServerFolder folder, boolean isEmbedded) {
    folder.override("versions.xml", isEmbedded ? EMBEDDED : ARTEMIS);
    ShrinkWrap.create(WebArchive.class)
        .addClass(VersionsServlet.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("versions.war").toFile());
  }
}
