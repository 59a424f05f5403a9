package io.postbox.testkit;

import io.postbox.testkit.BrokerSettings.QueueLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.CoreAddressConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/** The broker's process: arguments are the data folder and the settings. */
final class ArtemisMain {
  /** The file with the count of answers, in the data folder. */
  static final String ANSWERS = "answers";

  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(1);

  private static final int JOURNAL_BUFFER_TIMEOUT_NANOS = 100_000;
  private static final String EVERY_ADDRESS = "#";

  private ArtemisMain() {}

  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    BrokerSettings settings =
        BrokerSettings.fromArguments(Arrays.asList(arguments).subList(1, arguments.length));
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration(data, settings));
    if (settings.secured()) {
      broker.setSecurityManager(
          new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users()));
    }
    broker.start();
    broker
        .getActiveMQServer()
        .getRemotingService()
        .addOutgoingInterceptor(AnswerCount.in(data.resolve(ANSWERS)));
    awaitEndOfParent();
    broker.stop();
    System.exit(0);
  }

  /** The process that started this one holds the other end, and lets go of it however it dies. */
  private static void awaitEndOfParent() throws IOException {
    while (System.in.read() >= 0) {
      // nothing is ever said
    }
  }

  private static Configuration configuration(Path data, BrokerSettings settings) throws Exception {
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration
        .setJournalDirectory(data.resolve("journal").toString())
        .setBindingsDirectory(data.resolve("bindings").toString())
        .setLargeMessagesDirectory(data.resolve("large").toString())
        .setPagingDirectory(data.resolve("paging").toString())
        .setNodeManagerLockDirectory(data.resolve("lock").toString())
        .setPersistenceEnabled(true)
        .setSecurityEnabled(settings.secured())
        .setJMXManagementEnabled(false)
        // A transaction that was cut off in the middle keeps its messages for so long.
        .setTransactionTimeout(TRANSACTION_TIMEOUT.toMillis())
        // It may be frozen for a while, and is not to think that it is sick.
        .setCriticalAnalyzer(false)
        .addAcceptorConfiguration("loopback", settings.acceptorUrl());
    configuration
        .setJournalType(JournalType.NIO)
        .setJournalSyncTransactional(true)
        .setJournalSyncNonTransactional(true)
        // Not the 3.33 ms that it would wait for others before it writes, whatever the disk does.
        .setJournalBufferTimeout_NIO(JOURNAL_BUFFER_TIMEOUT_NANOS);
    for (String queue : settings.queues()) {
      configuration.addAddressConfiguration(
          new CoreAddressConfiguration()
              .setName(queue)
              .addRoutingType(RoutingType.ANYCAST)
              .addQueueConfiguration(
                  QueueConfiguration.of(queue)
                      .setAddress(queue)
                      .setRoutingType(RoutingType.ANYCAST)
                      .setDurable(true)));
    }
    for (String topic : settings.topics()) {
      configuration.addAddressConfiguration(
          new CoreAddressConfiguration().setName(topic).addRoutingType(RoutingType.MULTICAST));
    }
    configuration.addAddressSetting(EVERY_ADDRESS, common());
    for (QueueLimit limit : settings.limits()) {
      configuration.addAddressSetting(limit.queue(), limited(limit));
    }
    configuration.putSecurityRoles(EVERY_ADDRESS, Set.of(everything()));
    for (String queue : settings.readOnly()) {
      configuration.putSecurityRoles(queue, Set.of(receiving()));
    }
    return configuration;
  }

  private static AddressSettings common() {
    return new AddressSettings()
        // However often a message comes back, the broker keeps it. Each crash of a client counts as
        // a delivery of all that the client had been sent ahead.
        .setMaxDeliveryAttempts(-1)
        // Where it would go, so that a test that has this queue can see that nothing went there.
        .setDeadLetterAddress(SimpleString.of("DLQ"))
        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
        .setAutoCreateAddresses(false)
        .setAutoCreateQueues(false);
  }

  private static AddressSettings limited(QueueLimit limit) {
    return common()
        .setMaxSizeBytes(limit.bytes())
        .setAddressFullMessagePolicy(AddressFullMessagePolicy.valueOf(limit.whenFull().name()));
  }

  private static SecurityConfiguration users() {
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(BrokerSettings.USER, BrokerSettings.USER);
    users.addRole(BrokerSettings.USER, BrokerSettings.USER);
    return users;
  }

  private static Role everything() {
    return new Role(
        BrokerSettings.USER,
        true,
        true,
        true,
        true,
        true,
        true,
        true,
        true,
        true,
        true,
        true,
        true);
  }

  private static Role receiving() {
    return new Role(
        BrokerSettings.USER,
        false,
        true,
        false,
        false,
        false,
        false,
        false,
        true,
        false,
        false,
        false,
        false);
  }
}
