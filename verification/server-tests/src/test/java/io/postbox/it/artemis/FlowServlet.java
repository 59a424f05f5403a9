package io.postbox.it.artemis;

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
import java.util.List;
import java.util.UUID;

/**
 * Enqueues on request, in one transaction. A line is a message: destination, ordering key or
 * nothing, length of a property, id.
 */
@WebServlet("/enqueue")
public class FlowServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    List<OutboxMessage> messages = request.getReader().lines().map(FlowServlet::message).toList();
    try {
      transaction.begin();
      outbox.enqueueAll(messages);
      transaction.commit();
    } catch (Exception failed) { // UserTransaction has eight
      throw new IOException("Nothing was enqueued", failed);
    }
  }

  private static OutboxMessage message(String line) {
    String[] parts = line.split(";", -1);
    OutboxMessage message =
        OutboxMessage.to(parts[0])
            .property("Padding", "x".repeat(Integer.parseInt(parts[2])))
            .id(UUID.fromString(parts[3]))
            .text("text");
    return parts[1].isEmpty() ? message.unordered() : message.orderedBy(parts[1]);
  }
}
