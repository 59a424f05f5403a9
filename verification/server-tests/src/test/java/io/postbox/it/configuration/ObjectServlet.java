package io.postbox.it.configuration;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serializable;
import java.util.Currency;

/** Sends an object through the broker and says what getObject() made of it. */
@WebServlet("/received/*")
public class ObjectServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final long LONGEST_WAIT_MILLIS = 30_000;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print(received(object(request.getPathInfo())));
  }

  private static Serializable object(String path) {
    return switch (path) {
      case "/string" -> "a text";
      case "/currency" -> Currency.getInstance("EUR");
      default -> throw new IllegalArgumentException(path);
    };
  }

  private String received(Serializable object) {
    try (JMSContext context = connections.createContext()) {
      Queue queue = context.createTemporaryQueue();
      context.createProducer().send(queue, object);
      ObjectMessage message =
          (ObjectMessage) context.createConsumer(queue).receive(LONGEST_WAIT_MILLIS);
      return "object " + message.getObject();
    } catch (JMSException refused) {
      return "refused " + refused.getMessage();
    }
  }
}
