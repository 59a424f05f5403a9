package io.postbox.crash.deployed;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
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
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * Part of the sample: enqueues jobs, has their lots or numbers fail and lets them work again, sends
 * one past the outbox for a requester who goes away at once, and says how many were done.
 */
@WebServlet("/jobs/*")
public class JobsServlet extends HttpServlet {
  private static final String COUNTS =
      """
      SELECT (SELECT COUNT(DISTINCT job) FROM job_run), (SELECT COUNT(*) FROM job_trouble),
        (SELECT COUNT(*) FROM inbox_stored
         WHERE consumer LIKE 'jobs%' AND status IN ('PENDING', 'DELAYED', 'HELD', 'HANDED_BACK'))
      """;

  private static final long serialVersionUID = 1L;

  @Inject
  @SuppressWarnings("serial") // no server stores a servlet
  private Outbox outbox;

  @Resource
  @SuppressWarnings("serial")
  private UserTransaction transaction;

  @Resource(lookup = "java:comp/DefaultDataSource")
  @SuppressWarnings("serial")
  private DataSource source;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      switch (String.valueOf(request.getPathInfo())) {
        case "/enqueue" -> response.getWriter().print(enqueue(request));
        case "/trouble" ->
            write(
                "INSERT INTO job_trouble (place, name, kind) VALUES (?, ?, ?)",
                request.getParameter("place"),
                request.getParameter("name"),
                request.getParameter("kind"));
        case "/mend" ->
            write("DELETE FROM job_trouble WHERE name LIKE ?", request.getParameter("name"));
        case "/ask" -> ask(request);
        default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
      }
    } catch (SQLException
        | JMSException
        | JMSRuntimeException
        | NamingException
        | NotSupportedException
        | SystemException
        | RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException failed) {
      throw new IOException("Nobody knows whether it was done", failed);
    }
  }

  private String enqueue(HttpServletRequest request)
      throws NotSupportedException,
          SystemException,
          RollbackException,
          HeuristicMixedException,
          HeuristicRollbackException {
    List<OutboxMessage> messages =
        Arrays.stream(request.getParameter("jobs").split(","))
            .map(job -> message(request, job))
            .toList();
    transaction.begin();
    boolean isEnqueued = false;
    try {
      List<UUID> ids = outbox.enqueueAll(messages);
      isEnqueued = true;
      transaction.commit();
      return ids.stream().map(UUID::toString).collect(Collectors.joining(","));
    } finally {
      if (!isEnqueued) {
        transaction.rollback();
      }
    }
  }

  private static OutboxMessage message(HttpServletRequest request, String job) {
    String lot = request.getParameter("lot");
    String key = request.getParameter("key");
    OutboxMessage message =
        OutboxMessage.to(request.getParameter("destination"))
            .event(lot)
            .aggregate("Job", job)
            .reference("jobs", job + ";" + lot);
    return key.isEmpty() ? message : message.orderedBy(key);
  }

  private void write(String sql, String... values) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** The queue in which the answer is wanted is gone before anybody can answer. */
  private static void ask(HttpServletRequest request) throws JMSException, NamingException {
    String job = request.getParameter("job");
    String lot = request.getParameter("lot");
    ConnectionFactory connections = (ConnectionFactory) new InitialContext().lookup("jms/cf");
    try (JMSContext context = connections.createContext()) {
      Message message = context.createTextMessage(job + ";" + lot);
      message.setStringProperty("OutboxMessageId", request.getParameter("id"));
      message.setStringProperty("OutboxEventType", lot);
      message.setStringProperty("OutboxAggregateType", "Job");
      message.setStringProperty("OutboxAggregateId", job);
      message.setJMSReplyTo(context.createTemporaryQueue());
      context
          .createProducer()
          .send((Queue) new InitialContext().lookup("jms/jobs-captured"), message);
    }
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
          .print(
              "{\"done\":%s,\"troubles\":%s,\"waiting\":%s}"
                  .formatted(row.getLong(1), row.getLong(2), row.getLong(3)));
    } catch (SQLException failed) {
      throw new IOException("The jobs cannot be counted", failed);
    }
  }
}
