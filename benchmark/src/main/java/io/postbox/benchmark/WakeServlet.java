package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.Collections;

/** Enqueues messages to "drain" in one transaction; so many that every lane is woken. */
@WebServlet("/wake")
public class WakeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int count = Integer.parseInt(request.getParameter("count"));
    try {
      transaction.begin();
      outbox.enqueueAll(
          Collections.nCopies(count, OutboxMessage.to("drain").unordered().text("wake")));
      transaction.commit();
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("Nothing was enqueued", failed);
    }
  }
}
