package io.postbox.it.artemis;

import jakarta.annotation.Resource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InitialContext;

/** Sends as the relay does, and tells at which step which exceptions come. */
@WebServlet("/provoke")
public class ProvokeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest q, HttpServletResponse response) throws IOException {
    int count = Integer.parseInt(q.getParameter("count"));
    int property = Integer.parseInt(q.getParameter("property"));
    int body = Integer.parseInt(q.getParameter("body"));
    String user = q.getParameter("user");
    String dup = q.getParameter("dup");
    long wait = Long.parseLong(q.getParameter("wait"));
    String step = "begin";
    List<String> out = new ArrayList<>();
    try {
      transaction.begin();
      step = "lookup";
      ConnectionFactory factory = InitialContext.doLookup(q.getParameter("cf"));
      Destination d = InitialContext.doLookup(q.getParameter("to"));
      step = "connect";
      try (Connection c =
          user == null ? factory.createConnection() : factory.createConnection(user, "wrong")) {
        step = "session";
        Session s = c.createSession();
        step = "producer";
        MessageProducer p = s.createProducer(null);
        for (int i = 0; i < count; i++) {
          step = "build";
          TextMessage m = s.createTextMessage("x".repeat(body));
          if (property > 0) {
            m.setStringProperty("Padding", "x".repeat(property));
          }
          if (dup != null) {
            m.setStringProperty("_AMQ_DUPL_ID", dup);
          }
          step = "send " + i;
          p.send(d, m);
        }
        Thread.sleep(wait);
        step = "close";
      }
      step = "commit";
      transaction.commit();
      out.add("OK");
    } catch (Throwable t) {
      out.add("AT " + step);
      for (Throwable c = t; c != null; c = c.getCause()) {
        String code = c instanceof jakarta.jms.JMSException j ? " code=" + j.getErrorCode() : "";
        out.add(c.getClass().getName() + code + " | " + c);
      }
      for (Throwable c = t; c != null; c = c.getCause()) {
        for (Throwable x : c.getSuppressed()) {
          out.add("SUPPRESSED " + x);
        }
        if (c instanceof jakarta.jms.JMSException j && j.getLinkedException() != null) {
          out.add("LINKED " + j.getLinkedException());
        }
      }
      try {
        if (transaction.getStatus() != 6) {
          transaction.rollback();
        }
      } catch (Exception e) {
        out.add("ROLLBACK " + e);
      }
    }
    response.getWriter().print(String.join("\n", out));
  }
}
