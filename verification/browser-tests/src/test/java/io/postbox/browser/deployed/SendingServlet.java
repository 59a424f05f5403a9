package io.postbox.browser.deployed;

import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Sends whatever a test asks for. {@code POST /enqueue} enqueues one message for each number {@code
 * from} to {@code to}, whose text is the number or, with a {@code table}, a reference to it; the
 * answer is their ids, or 503 where the backlog is full. {@code POST /foreign} sends a text to a
 * queue past the outbox, with an id that the sender chooses.
 */
@WebServlet({"/enqueue", "/foreign"})
public class SendingServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (request.getServletPath().equals("/foreign")) {
      sendPastTheOutbox(request);
      return;
    }
    List<OutboxMessage> messages =
        IntStream.rangeClosed(number(request, "from"), number(request, "to"))
            .mapToObj(number -> message(request, number))
            .toList();
    try {
      transaction.begin();
      List<UUID> ids = outbox.enqueueAll(messages);
      transaction.commit();
      response.setContentType("text/plain");
      response
          .getWriter()
          .write(ids.stream().map(UUID::toString).collect(Collectors.joining("\n")));
    } catch (BacklogFullException full) {
      rollBack();
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    } catch (NotSupportedException
        | SystemException
        | RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException failed) {
      throw new ServletException(failed);
    }
  }

  private void rollBack() throws ServletException {
    try {
      transaction.rollback();
    } catch (SystemException failed) {
      throw new ServletException(failed);
    }
  }

  private static OutboxMessage message(HttpServletRequest request, int number) {
    String table = request.getParameter("table");
    String key = request.getParameter("key");
    String aggregate = request.getParameter("versions");
    OutboxMessage message = OutboxMessage.to(request.getParameter("destination")).event("Walked");
    message =
        table == null
            ? message.text(String.valueOf(number))
            : message.reference(table, String.valueOf(number));
    if (aggregate != null) {
      return message.aggregate("Order", aggregate).aggregateVersion(number);
    }
    message = message.aggregate("Order", number);
    return key == null ? message : message.orderedBy(key);
  }

  private static void sendPastTheOutbox(HttpServletRequest request) throws ServletException {
    @Nullable String id = request.getParameter("id");
    try (JMSContext context =
        find("java:comp/DefaultJMSConnectionFactory", ConnectionFactory.class).createContext()) {
      TextMessage message = context.createTextMessage(request.getParameter("text"));
      if (id != null) {
        message.setStringProperty("OutboxMessageId", id);
      }
      context
          .createProducer()
          .send(find("jms/" + request.getParameter("destination"), Queue.class), message);
    } catch (JMSException | NamingException failed) {
      throw new ServletException(failed);
    }
  }

  private static int number(HttpServletRequest request, String name) {
    return Integer.parseInt(request.getParameter(name));
  }

  private static <T> T find(String name, Class<T> type) throws NamingException {
    return type.cast(new InitialContext().lookup(name));
  }
}
