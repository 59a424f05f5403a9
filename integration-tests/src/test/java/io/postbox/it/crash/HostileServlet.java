package io.postbox.it.crash;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * An application beside the sample, with the sample's queue and no manners. What it answers 200 is
 * in the queue. Parameters: what is to be sent, a tag by which it is found again, an id that is
 * known, a length.
 */
@WebServlet("/send")
public class HostileServlet extends HttpServlet {
  /** The message property by which a message is found again, whatever became of it. */
  static final String TAG = "Tag";

  /** An article at whose order a server can be made to die. */
  static final String DEADLY_SKU = "DEADLY";

  private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Hostile kind = Hostile.valueOf(request.getParameter("kind"));
    String tag = request.getParameter("tag");
    int length = Integer.parseInt(request.getParameter("length"));
    String text =
        switch (kind) {
          case WITH_CONTROL_CHARACTERS -> "{\"orderId\":\u0000\u001b[31m\r\n\ud800" + tag;
          case HUGE -> tag + "x".repeat(length);
          case DEADLY -> "{\"orderId\":1,\"sku\":\"" + DEADLY_SKU + "\",\"quantity\":1}";
          default -> "{\"orderId\":1,\"sku\":\"BOOK-1\",\"quantity\":1,\"by\":\"" + tag + "\"}";
        };
    String id =
        switch (kind) {
          case WITHOUT_AN_ID -> null;
          case WITH_A_MALFORMED_ID -> "not a\u0000uuid " + tag;
          case WITH_ANOTHER_BODY -> request.getParameter("id");
          default -> UUID.randomUUID().toString();
        };
    try (JMSContext context = find("jms/cf", ConnectionFactory.class).createContext()) {
      TextMessage message = context.createTextMessage(text);
      message.setJMSType("OrderPlaced");
      message.setStringProperty(TAG, tag);
      if (id != null) {
        message.setStringProperty("OutboxMessageId", id);
      }
      context.createProducer().send(find("jms/shipping", Queue.class), message);
    } catch (JMSException | JMSRuntimeException | NamingException failed) {
      throw new IOException("Nobody knows whether it was sent", failed);
    }
  }

  private static <T> T find(String name, Class<T> type) throws NamingException {
    return type.cast(new InitialContext().lookup(name));
  }
}
