package io.postbox.it.modes;

import io.postbox.it.modes.ModesServer.Pair;
import java.util.List;

/** The configuration of the server with both brokers and both databases, beside the sample's. */
final class ModesConfiguration {
  private ModesConfiguration() {}

  /** The server's, with these queues for each pair. */
  static String of(List<String> queues) {
    StringBuilder xml =
        new StringBuilder(
            """
            <server>
              <featureManager>
                <feature>connectors-2.1</feature>
              </featureManager>
              <resourceAdapter id="artemis" location="${postbox.artemis.rar}">
                <properties.artemis connectionParameters="host=localhost;port=${postbox.artemis.port}"
                                    reconnectAttempts="0" initialConnectAttempts="1"
                                    callTimeout="10000"/>
              </resourceAdapter>
              <jmsConnectionFactory id="jms/artemis" jndiName="jms/artemis">
                <properties.artemis/>
              </jmsConnectionFactory>
              <!-- what acknowledges a message before it is delivered -->
              <resourceAdapter id="hasty" location="${postbox.artemis.rar}">
                <properties.hasty connectionParameters="host=localhost;port=${postbox.artemis.port}"
                                  reconnectAttempts="0" initialConnectAttempts="1"
                                  callTimeout="10000" preAcknowledge="true"/>
              </resourceAdapter>
              <jmsConnectionFactory id="jms/hasty" jndiName="jms/hasty">
                <properties.hasty/>
              </jmsConnectionFactory>
              <!-- a time-out short enough for a test to wait for it; and nothing crashes here -->
              <transaction totalTranLifetimeTimeout="6s" recoverOnStartup="false"/>
              <jmsConnectionFactory id="jms/embedded" jndiName="jms/embedded">
                <properties.wasJms persistentMapping="AssuredPersistent"/>
              </jmsConnectionFactory>
              <library id="modes-h2"><file name="${server.config.dir}/jdbc/h2.jar"/></library>
              <dataSource id="modes-h2" jndiName="jdbc/h2"
                          type="javax.sql.DataSource"
                          isolationLevel="TRANSACTION_READ_COMMITTED">
                <jdbcDriver libraryRef="modes-h2"
                            javax.sql.DataSource="org.h2.jdbcx.JdbcDataSource"/>
                <properties URL="jdbc:h2:file:${postbox.data}/h2/modes;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"
                            user="sa" password=""/>
              </dataSource>
              <messagingEngine>
                <!-- by default no message of 10 MB fits in -->
                <fileStore path="${postbox.data}/messages" logFileSize="50"/>
            """);
    for (Pair pair : Pair.values()) {
      for (String queue : pair.onArtemis() ? List.<String>of() : queues) {
        xml.append(
            (queue.equals("tired")
                    ? "<queue id=\"%s\" exceptionDestination=\"%s\"/>\n"
                    : "<queue id=\"%s\" failedDeliveryPolicy=\"KEEP_TRYING\""
                        + " redeliveryInterval=\"200\"/>\n")
                .formatted(pair.physical(queue), pair.physical("elsewhere")));
      }
    }
    xml.append("</messagingEngine>\n");
    for (Pair pair : Pair.values()) {
      xml.append(
          "<webApplication id=\"%1$s\" name=\"%1$s\" location=\"%1$s.war\" contextRoot=\"/%1$s\"/>\n"
              .formatted(pair.application()));
      for (String queue : queues) {
        xml.append(
            "<jmsQueue id=\"%1$s\" jndiName=\"%1$s\"><properties.%2$s=\"%3$s\"/></jmsQueue>\n"
                .formatted(
                    pair.queue(queue),
                    pair.onArtemis() ? "artemis address" : "wasJms queueName",
                    pair.physical(queue)));
      }
      // The engine goes by what is said here, takes seconds for milliseconds, and ignores what the
      // sender says.
      for (int seconds : new int[] {4, 60}) {
        xml.append(
            "<jmsQueue id=\"%1$s-%4$ss\" jndiName=\"%1$s-%4$ss\"><properties.%2$s=\"%3$s\" %5$s/></jmsQueue>\n"
                .formatted(
                    pair.queue("again"),
                    pair.onArtemis() ? "artemis address" : "wasJms queueName",
                    pair.physical("again"),
                    seconds,
                    pair.onArtemis() ? "" : "timeToLive=\"" + seconds + "000s\""));
      }
      xml.append(activation(pair, "RouteMdb", "route", ""));
      xml.append(activation(pair, "OwnRouteMdb", "own-route", ""));
      xml.append(activation(pair, "AgainMdb", "again", ""));
      xml.append(activation(pair, "OwnAgainMdb", "own-again", ""));
      xml.append(activation(pair, "OwnMdb", "own", ""));
      xml.append(
          activation(pair, "DupsOkMdb", "dups-ok", "acknowledgeMode=\"Dups-ok-acknowledge\""));
      xml.append(activation(pair, "LostMdb", "lost", ""));
      xml.append(activation(pair, "OwnLostMdb", "own-lost", ""));
      if (pair.onArtemis()) {
        xml.append(early(pair, "EarlyMdb", "early"));
        xml.append(early(pair, "OwnEarlyMdb", "own-early"));
      } else {
        xml.append(activation(pair, "TiredMdb", "tired", ""));
      }
    }
    return xml.append("</server>\n").toString();
  }

  /** By its address: the other adapter's queue is of a class that this one does not know. */
  private static String early(Pair pair, String bean, String queue) {
    return """
    <jmsActivationSpec id="%s/%s">
      <properties.hasty destination="%s" useJNDI="false" destinationType="jakarta.jms.Queue"
                        setupAttempts="-1" setupInterval="1000"/>
    </jmsActivationSpec>
    """
        .formatted(pair.application(), bean, pair.physical(queue));
  }

  private static String activation(Pair pair, String bean, String queue, String more) {
    String properties =
        pair.onArtemis()
            ? "artemis destinationLookup=\"%s\" destinationType=\"jakarta.jms.Queue\""
                + " maxSession=\"5\" reconnectAttempts=\"-1\" setupAttempts=\"-1\""
                + " setupInterval=\"1000\""
            : "wasJms destinationRef=\"%s\" maxConcurrency=\"5\" maxBatchSize=\"1\"";
    return "<jmsActivationSpec id=\"%s/%s\"><properties.%s %s/></jmsActivationSpec>\n"
        .formatted(pair.application(), bean, properties.formatted(pair.queue(queue)), more);
  }
}
