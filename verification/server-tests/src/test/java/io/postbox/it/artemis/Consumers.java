package io.postbox.it.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.consumers.BillingMdb;
import io.postbox.it.consumers.Cashier;
import io.postbox.it.consumers.Clerk;
import io.postbox.it.consumers.Effects;
import io.postbox.it.consumers.FrontMdb;
import io.postbox.it.consumers.HeaderMdb;
import io.postbox.it.consumers.Listener;
import io.postbox.it.consumers.MailingMdb;
import io.postbox.it.consumers.MoreBillingMdb;
import io.postbox.it.consumers.ResolvedMdb;
import io.postbox.it.consumers.RetryMdb;
import io.postbox.it.consumers.TextAsId;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * The application "consumers", from outside: two queues whose consumers have ids of their own kind,
 * one whose messages go to two beans, and a topic with two subscriptions, of which two beans share
 * one.
 *
 * @param port the server's
 */
record Consumers(int port) {
  static final int ATTEMPTS = 3;
  static final String TOPIC = "CONSUMERS-TOPIC";
  static final List<String> QUEUES =
      List.of("CONSUMERS-HEADER", "CONSUMERS-RESOLVED", "CONSUMERS-FRONT", "CONSUMERS-RETRY");

  static WebArchive application() {
    return Archives.war(
        "consumers",
        Archives.settings(
            "consumers",
            "postbox.inbox.data-source",
            "jdbc/postbox",
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.max-attempts",
            String.valueOf(ATTEMPTS),
            "postbox.inbox.backoff.first",
            "50ms",
            "postbox.inbox.backoff.max",
            "100ms",
            "postbox.inbox.consumer.billing.retry-destination",
            "jms/CONSUMERS-RETRY"),
        ConsumersServlet.class,
        Effects.class,
        Listener.class,
        HeaderMdb.class,
        ResolvedMdb.class,
        TextAsId.class,
        FrontMdb.class,
        Cashier.class,
        Clerk.class,
        BillingMdb.class,
        MoreBillingMdb.class,
        RetryMdb.class,
        MailingMdb.class);
  }

  /** The server's configuration for it. */
  static String configuration() {
    return """
      <webApplication id="consumers" name="consumers" location="consumers.war" contextRoot="/consumers"/>
      <jmsTopic id="jms/%1$s" jndiName="jms/%1$s">
        <properties.artemis address="%1$s"/>
      </jmsTopic>
    """
            .formatted(TOPIC)
        + onQueue("HeaderMdb", "CONSUMERS-HEADER")
        + onQueue("ResolvedMdb", "CONSUMERS-RESOLVED")
        + onQueue("FrontMdb", "CONSUMERS-FRONT")
        + onQueue("RetryMdb", "CONSUMERS-RETRY")
        + onTopic("BillingMdb", "billing")
        + onTopic("MoreBillingMdb", "billing")
        + onTopic("MailingMdb", "mailing");
  }

  private static String onQueue(String bean, String queue) {
    return activation(bean, queue, "jakarta.jms.Queue", "");
  }

  private static String onTopic(String bean, String subscription) {
    return activation(
        bean,
        TOPIC,
        "jakarta.jms.Topic",
        "subscriptionDurability=\"Durable\" shareSubscriptions=\"true\" clientId=\"consumers\""
            + " subscriptionName=\"%s\"".formatted(subscription));
  }

  private static String activation(String bean, String destination, String type, String more) {
    return """
      <jmsActivationSpec id="consumers/%s">
        <properties.artemis destinationLookup="jms/%s" destinationType="%s" maxSession="5"
                            reconnectAttempts="-1" setupAttempts="-1" setupInterval="1000" %s/>
      </jmsActivationSpec>
    """
        .formatted(bean, destination, type, more);
  }

  void send(String destination, String text) {
    ask("send", "jms/" + destination, text);
  }

  void refuse(String consumer, String text) {
    ask("refuse", consumer, text);
  }

  void take(String consumer, String text) {
    ask("take", consumer, text);
  }

  /** How often a consumer has begun with a text. */
  long tries(String consumer, String text) {
    return ask("tries", consumer, text);
  }

  /** How many effects its handling has. */
  long effects(String consumer, String text) {
    return ask("effects", consumer, text);
  }

  long parked(String consumer) {
    return ask("parked", consumer, "");
  }

  /** Redrives all parked messages and returns their number. */
  long redrive(String consumer) {
    return ask("redrive", consumer, "mended");
  }

  long skipped(String consumer) {
    return ask("skipped", consumer, "");
  }

  private long ask(String what, String consumer, String text) {
    HttpResponse<String> answer =
        Endpoint.get(
            port,
            "/consumers/do/%s?consumer=%s&text=%s"
                .formatted(
                    what,
                    URLEncoder.encode(consumer, StandardCharsets.UTF_8),
                    URLEncoder.encode(text, StandardCharsets.UTF_8)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Long.parseLong(answer.body());
  }
}
