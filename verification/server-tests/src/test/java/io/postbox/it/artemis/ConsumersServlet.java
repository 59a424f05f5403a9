package io.postbox.it.artemis;

import io.postbox.common.OutboxProperties;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ParkedMessages;
import io.postbox.it.consumers.Effects;
import io.postbox.it.tools.Names;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.UUID;

/** Does what the path says, with a consumer and a text or the destination that it is sent to. */
@WebServlet("/do/*")
public class ConsumersServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Effects effects;
  @Inject transient ParkedMessages parked;
  @Inject transient InboxStatistics statistics;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response
        .getWriter()
        .print(
            carryOut(
                request.getPathInfo(),
                request.getParameter("consumer"),
                request.getParameter("text")));
  }

  private long carryOut(String path, String consumer, String text) throws IOException {
    KeptFilter ofConsumer = KeptFilter.all().consumer(consumer);
    switch (path) {
      case "/send" -> send(consumer, text);
      case "/refuse" -> effects.refuse(consumer, text);
      case "/take" -> effects.take(consumer, text);
      case "/tries" -> {
        return effects.triesOf(consumer, text);
      }
      case "/effects" -> {
        return effects.of(consumer, text).size();
      }
      case "/parked" -> {
        return parked.plan(ofConsumer).messages();
      }
      case "/redrive" -> {
        return parked.redrive(parked.plan(ofConsumer), text).messages();
      }
      case "/skipped" -> {
        return statistics.byConsumer().stream()
            .filter(each -> each.consumer().equals(consumer))
            .mapToLong(InboxStatistics.ConsumerStatistics::skipped)
            .sum();
      }
      default -> throw new IllegalArgumentException(path);
    }
    return 0;
  }

  /** In a transaction of the server's, as applications send. */
  private void send(String destination, String text) throws IOException {
    try {
      transaction.begin();
      try (JMSContext context = Names.lookup("jms/cf", ConnectionFactory.class).createContext()) {
        context
            .createProducer()
            .setProperty(OutboxProperties.MESSAGE_ID, UUID.randomUUID().toString())
            .send(Names.lookup(destination, Destination.class), text);
      }
      transaction.commit();
    } catch (Exception failed) { // UserTransaction has eight
      throw new IOException("Nothing was sent", failed);
    }
  }
}
