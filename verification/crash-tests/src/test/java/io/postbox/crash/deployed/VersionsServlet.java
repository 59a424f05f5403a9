package io.postbox.crash.deployed;

import jakarta.annotation.Resource;
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
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * An application beside the sample, which sends versions of an aggregate in the order in which it
 * is given them, each under the same id every time. The versions that it answers with 200 are in
 * the queue. They have no ordering key, so that any session of any server gets any of them. Asked,
 * it says how many the inbox has stored, and how many are handled.
 */
@WebServlet("/messages")
public class VersionsServlet extends HttpServlet {
  private static final String COUNTS =
      """
      SELECT (SELECT COUNT(*) FROM inbox_stored WHERE consumer LIKE 'versions%'),
             (SELECT COUNT(*) FROM handled_version)
      """;

  private static final long serialVersionUID = 1L;

  @Resource(lookup = "java:comp/DefaultDataSource")
  @SuppressWarnings("serial") // no server stores a servlet
  private DataSource source;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String aggregate = request.getParameter("aggregate");
    try (JMSContext context = find("jms/cf", ConnectionFactory.class).createContext()) {
      Queue queue = find(request.getParameter("queue"), Queue.class);
      for (String version : request.getParameter("versions").split(",")) {
        Message message = context.createTextMessage(aggregate + "@" + version);
        message.setStringProperty("OutboxMessageId", id(aggregate + "@" + version));
        message.setStringProperty("OutboxAggregateType", "Versioned");
        message.setStringProperty("OutboxAggregateId", aggregate);
        message.setLongProperty("OutboxAggregateVersion", Long.parseLong(version));
        context.createProducer().send(queue, message);
      }
    } catch (JMSException | JMSRuntimeException | NamingException failed) {
      throw new IOException("Nobody knows which of them were sent", failed);
    }
  }

  private static String id(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COUNTS)) {
      row.next();
      response
          .getWriter()
          .print("{\"waiting\":%s,\"handled\":%s}".formatted(row.getLong(1), row.getLong(2)));
    } catch (SQLException failed) {
      throw new IOException("The versions cannot be counted", failed);
    }
  }

  private static <T> T find(String name, Class<T> type) throws NamingException {
    return type.cast(new InitialContext().lookup(name));
  }
}
