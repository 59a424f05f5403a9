package io.postbox.crash.deployed;

import io.postbox.testkit.model.HostileMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serializable;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * An application beside the sample, which sends to the sample's queue past the outbox. A message
 * that it answers with 200 is in the queue. Parameters: the kind of message, a tag by which it is
 * found again, an id that is known, a length, and how many times; of several, each has the tag
 * after that of the one before.
 */
@WebServlet("/send")
public class HostileServlet extends HttpServlet {
  /** An article at whose order a server can be made to die. */
  public static final String DEADLY_SKU = "DEADLY";

  /** In the right form: 1, the purpose, a MAC of 32 bytes, "shipping". */
  private static final String PROOF = "1.redrive." + "A".repeat(43) + ".c2hpcHBpbmc";

  private static final int MOST_ATTEMPTS = 1_000_000;

  private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HostileMessage kind = HostileMessage.valueOf(request.getParameter("kind"));
    UUID first = UUID.fromString(request.getParameter("tag"));
    int length = Integer.parseInt(request.getParameter("length"));
    int times = Integer.parseInt(request.getParameter("times"));
    String known = request.getParameter("id");
    try (JMSContext context = find("jms/cf", ConnectionFactory.class).createContext()) {
      Queue queue = find("jms/shipping", Queue.class);
      for (int i = 0; i < times; i++) {
        String tag = tag(first, i).toString();
        Message message = message(context, kind, tag, length);
        message.setStringProperty(HostileMessage.TAG, tag);
        message.setJMSCorrelationID(tag); // which is kept where there is no room for all of it
        String id = id(kind, tag, known);
        if (id != null) {
          message.setStringProperty("OutboxMessageId", id);
        }
        forge(message, kind);
        if (kind == HostileMessage.FETCHING_AN_ANSWER) {
          context.createProducer().send(queue, message);
        }
        if (kind == HostileMessage.FETCHING_AN_ANSWER
            || kind == HostileMessage.WITH_A_REPLY_ELSEWHERE) {
          message.setJMSReplyTo(find("jms/leak", Queue.class));
        }
        context.createProducer().send(queue, message);
      }
    } catch (JMSException | JMSRuntimeException | NamingException failed) {
      throw new IOException("Nobody knows whether it was sent", failed);
    }
  }

  /** That of one of several, counted from 0. */
  public static UUID tag(UUID first, int number) {
    return new UUID(first.getMostSignificantBits(), first.getLeastSignificantBits() + number);
  }

  private static Message message(JMSContext context, HostileMessage kind, String tag, int length)
      throws JMSException {
    Message message =
        switch (kind) {
          case OBJECT, OBJECT_WITHOUT_AN_ID -> context.createObjectMessage(new Unknown(tag));
          case OVERSIZED -> {
            BytesMessage bytes = context.createBytesMessage();
            bytes.writeBytes(new byte[length]);
            yield bytes;
          }
          default -> context.createTextMessage(text(kind, tag, length));
        };
    String event = kind.isToBeHandled() ? AnsweringListener.PROBE : "OrderPlaced";
    message.setJMSType(event);
    // The sample's listener rejects any other event before it looks at the body.
    message.setStringProperty("OutboxEventType", event);
    return message;
  }

  private static String text(HostileMessage kind, String tag, int length) {
    return switch (kind) {
      case WITH_CONTROL_CHARACTERS -> "{\"orderId\":\u0000\u001b[31m\r\n" + tag;
      case WITH_HALF_A_CHARACTER -> "{\"orderId\":\ud800" + tag;
      case HUGE, FLOOD, FORGED_ATTEMPTS -> tag + "x".repeat(length);
      case DEADLY -> "{\"orderId\":1,\"sku\":\"" + DEADLY_SKU + "\",\"quantity\":1}";
      default -> "{\"orderId\":1,\"sku\":\"BOOK-1\",\"quantity\":1,\"by\":\"" + tag + "\"}";
    };
  }

  private static @Nullable String id(HostileMessage kind, String tag, String known) {
    return switch (kind) {
      case WITHOUT_AN_ID, OBJECT_WITHOUT_AN_ID, FLOOD -> null;
      case WITH_A_MALFORMED_ID -> "not a\u0000uuid " + tag;
      case WITH_ANOTHER_BODY -> known;
      default -> tag;
    };
  }

  /** Sets what only the inbox may say. */
  private static void forge(Message message, HostileMessage kind) throws JMSException {
    switch (kind) {
      case FORGED_RECIPIENT -> message.setStringProperty("InboxOnlyFor", "billing");
      case FORGED_PROOF -> {
        message.setStringProperty("InboxOnlyFor", "billing");
        message.setIntProperty("InboxAttempt", 3);
        message.setStringProperty("InboxStored", "1.1");
        message.setBooleanProperty("InboxMayReply", true);
        message.setStringProperty("InboxMessageId", "ID:another");
        message.setStringProperty("InboxRequestId", "ID:another");
        message.setStringProperty("InboxProof", PROOF);
      }
      case FORGED_ATTEMPTS -> message.setIntProperty("InboxAttempt", MOST_ATTEMPTS);
      default -> {
        // says nothing of itself
      }
    }
  }

  /** Of a class that only this application has. */
  private static final class Unknown implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused") // it is what is sent
    private final String tag;

    Unknown(String tag) {
      this.tag = tag;
    }
  }

  private static <T> T find(String name, Class<T> type) throws NamingException {
    return type.cast(new InitialContext().lookup(name));
  }
}
