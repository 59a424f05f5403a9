package io.postbox.it.modes;

import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Random;
import org.eclipse.microprofile.config.ConfigProvider;

/** Sends on request, and answers with the result. */
@WebServlet(
    urlPatterns = {
      "/send",
      "/ask",
      "/notes",
      "/returns",
      "/effects",
      "/rows",
      "/status",
      "/depth",
      "/receive"
    },
    loadOnStartup = 1)
public class ModesServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** The table of effects, and one that the database looks at when a transaction commits. */
  @Override
  public void init() {
    synchronized (ModesServlet.class) {
      database().run("CREATE TABLE IF NOT EXISTS modes_effect (tag VARCHAR(100) NOT NULL)");
      database()
          .run(
              setting("postbox.inbox.data-source").equals("jdbc/h2")
                  ? "CREATE TABLE IF NOT EXISTS modes_child (parent VARCHAR(100))"
                  : """
                  CREATE TABLE IF NOT EXISTS modes_child (
                    id VARCHAR(100) PRIMARY KEY,
                    parent VARCHAR(100) REFERENCES modes_child DEFERRABLE INITIALLY DEFERRED)
                  """);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    request.setCharacterEncoding("UTF-8");
    response.setContentType("text/plain;charset=UTF-8");
    try {
      response.getWriter().print(answer(request));
    } catch (JMSException failed) {
      throw new IOException(request.getQueryString(), failed);
    }
  }

  private static String answer(HttpServletRequest request) throws JMSException {
    String tag = request.getParameter("tag");
    String queue = request.getParameter("queue");
    return switch (request.getServletPath()) {
      case "/send" -> send(request);
      case "/ask" -> ask(request);
      case "/notes" -> String.join("--\n", Notes.of(tag));
      case "/returns" -> String.valueOf(Returns.of(request.getParameter("id")));
      case "/status" ->
          String.join(
              ",",
              database()
                  .column(
                      "SELECT status FROM %sinbox_stored WHERE message_id = ?"
                          .formatted(setting("postbox.inbox.table-prefix")),
                      request.getParameter("id")));
      case "/effects" -> database().value("SELECT COUNT(*) FROM modes_effect WHERE tag = ?", tag);
      case "/rows" ->
          database()
              .value(
                  "SELECT COUNT(*) FROM %sinbox_message WHERE message_id = ?"
                      .formatted(setting("postbox.inbox.table-prefix")),
                  request.getParameter("id"));
      case "/receive" -> receive(queue);
      default -> depth(queue);
    };
  }

  private static String receive(String queue) throws JMSException {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(Names.lookup(queue, Queue.class))) {
      Message message = consumer.receive(10_000);
      return message == null ? "nothing" : Portrait.of(message);
    }
  }

  private static String depth(String queue) throws JMSException {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE);
        QueueBrowser browser = context.createBrowser(Names.lookup(queue, Queue.class))) {
      return String.valueOf(Collections.list(browser.getEnumeration()).size());
    }
  }

  private static ConnectionFactory factory() {
    return Names.lookup(setting("postbox.inbox.connection-factory"), ConnectionFactory.class);
  }

  private static String ask(HttpServletRequest request) throws JMSException {
    try (var connection = factory().createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      Queue answers = session.createTemporaryQueue();
      try (var consumer = session.createConsumer(answers)) {
        send(request, session, answers);
        Message answer = consumer.receive(10_000);
        return answer == null ? "nothing" : answer.getBody(String.class);
      }
    }
  }

  private static String send(HttpServletRequest request) throws JMSException {
    String replyTo = request.getParameter("replyTo");
    try (var connection = factory().createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      return send(
          request, session, replyTo == null ? null : Names.lookup(replyTo, Destination.class));
    }
  }

  private static String send(HttpServletRequest request, Session session, Destination replyTo)
      throws JMSException {
    try (var producer =
        session.createProducer(Names.lookup(request.getParameter("queue"), Destination.class))) {
      Message message = build(session, request.getParameter("body"));
      request.getParameterMap().forEach((name, values) -> set(message, name, values[0]));
      message.setJMSReplyTo(replyTo);
      message.setJMSCorrelationID(request.getParameter("correlation"));
      message.setJMSType(request.getParameter("type"));
      producer.send(
          message,
          DeliveryMode.PERSISTENT,
          number(request, "priority", 4),
          number(request, "ttl", 0));
      return message.getJMSMessageID();
    }
  }

  /** Parameters that begin with a capital are properties, with their type before the value. */
  private static void set(Message message, String name, String typed) {
    if (!Character.isUpperCase(name.charAt(0))) {
      return;
    }
    String value = typed.substring(typed.indexOf(' ') + 1);
    Object object =
        switch (typed.substring(0, typed.indexOf(' '))) {
          case "Boolean" -> Boolean.valueOf(value);
          case "Byte" -> Byte.valueOf(value);
          case "Short" -> Short.valueOf(value);
          case "Integer" -> Integer.valueOf(value);
          case "Long" -> Long.valueOf(value);
          case "Float" -> Float.valueOf(value);
          case "Double" -> Double.valueOf(value);
          default -> value;
        };
    try {
      message.setObjectProperty(name, object);
    } catch (JMSException e) {
      throw new IllegalArgumentException(name + " " + typed, e);
    }
  }

  private static Message build(Session session, String body) throws JMSException {
    String content = body.substring(body.indexOf(' ') + 1);
    return switch (body.substring(0, body.indexOf(' '))) {
      case "text" -> session.createTextMessage(content);
      case "nothing" -> session.createTextMessage(null);
      case "long" -> session.createTextMessage("ü".repeat(Integer.parseInt(content)));
      case "bytes" -> {
        byte[] bytes = new byte[Integer.parseInt(content)];
        new Random(42).nextBytes(bytes);
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(bytes);
        yield message;
      }
      case "map" -> {
        MapMessage message = session.createMapMessage();
        message.setByte("byte", (byte) 1);
        message.setShort("short", (short) 2);
        message.setChar("char", 'c');
        message.setFloat("float", 1.5f);
        message.setBytes("bytes", new byte[] {1, 2});
        message.setString("string", content);
        message.setString("none", null);
        yield message;
      }
      case "stream" -> {
        StreamMessage message = session.createStreamMessage();
        message.writeByte((byte) 1);
        message.writeChar('c');
        message.writeBytes(new byte[] {1, 2});
        message.writeDouble(2.5);
        message.writeString(content);
        yield message;
      }
      case "object" -> session.createObjectMessage(Unknown.object(content));
      default -> session.createMessage();
    };
  }

  private static int number(HttpServletRequest request, String name, int other) {
    String value = request.getParameter(name);
    return value == null ? other : Integer.parseInt(value);
  }

  private static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
