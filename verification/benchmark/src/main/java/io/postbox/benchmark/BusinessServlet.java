package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.Collections;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * Runs one business transaction after the other, an update and an insert by JPA, and answers how
 * many nanoseconds each took with its commit. Each enqueues so many messages in one call.
 */
@WebServlet("/business")
public class BusinessServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final OutboxMessage MESSAGE =
      OutboxMessage.to("drain").orderedBy("1").event("Booked").text("x".repeat(512));

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;
  @PersistenceContext transient EntityManager entities;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int count = Integer.parseInt(request.getParameter("count"));
    int gap = Integer.parseInt(request.getParameter("gap"));
    int messages = Integer.parseInt(request.getParameter("messages"));
    StringJoiner nanos = new StringJoiner("\n");
    try {
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        transaction.begin();
        book();
        enqueue(messages);
        transaction.commit();
        nanos.add(String.valueOf(System.nanoTime() - start));
        TimeUnit.MILLISECONDS.sleep(gap);
      }
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("Nothing was booked", failed);
    }
    response.getWriter().print(nanos);
  }

  private void book() {
    Account account = entities.find(Account.class, 1L);
    account.add(1);
    entities.persist(new Booking(account));
  }

  private void enqueue(int messages) {
    if (messages == 1) {
      outbox.enqueue(MESSAGE);
    } else if (messages > 1) {
      outbox.enqueueAll(Collections.nCopies(messages, MESSAGE));
    }
  }
}
