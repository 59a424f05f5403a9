package io.postbox.it.agent;

import io.postbox.it.telemetry.HandlerSpans;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
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

/** Sends a message when it is posted to, and shows the spans in which handlers ran. */
@WebServlet("/trace")
public class TraceServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient Outbox outbox;
  @Inject transient HandlerSpans spans;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws ServletException {
    try {
      transaction.begin();
      outbox.enqueue(OutboxMessage.to("traced").text("x"));
      transaction.commit();
    } catch (NotSupportedException
        | SystemException
        | RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException failed) {
      throw new ServletException(failed);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    for (HandlerSpans.HandlerSpan span : spans.all()) {
      response.getWriter().println(span.trace() + " " + span.span());
    }
  }
}
