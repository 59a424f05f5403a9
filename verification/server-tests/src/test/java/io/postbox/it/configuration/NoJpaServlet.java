package io.postbox.it.configuration;

import io.postbox.common.Page;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.it.tools.Database;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Asks the modules everything that they know of rows, and answers a line for each question. */
@WebServlet("/ask")
public class NoJpaServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Outbox outbox;
  @Inject transient DeadLetters letters;
  @Inject transient ParkedMessages parked;
  @Inject transient QuarantinedMessages quarantined;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    try {
      response.getWriter().println(String.join("\n", answers()));
    } catch (Exception failed) { // declared so by UserTransaction
      throw new ServletException(failed);
    }
  }

  private List<String> answers() throws Exception {
    transaction.begin();
    UUID enqueued = outbox.enqueue(OutboxMessage.to("nowhere").text("x"));
    transaction.commit();
    Database database = Database.byDefault();
    database.run("UPDATE no_jpa_outbox_message SET status = 'DEAD' WHERE id = ?", enqueued);
    keepAside(database);

    DeadLetter letter = letters.find(DeadLetterFilter.all(), Page.first(9)).get(0);
    KeptMessage aside = parked.find(KeptFilter.all(), Page.first(9)).get(0);
    KeptMessage odd = quarantined.find(KeptFilter.all(), Page.first(9)).get(0);
    return List.of(
        "JPA " + seesJpa(),
        "dead letter "
            + letter.id().equals(enqueued)
            + letters.get(enqueued).isPresent()
            + letters.discard(letters.plan(DeadLetterFilter.all().id(enqueued)), "tried"),
        "parked "
            + aside.messageId().orElseThrow()
            + parked.get(aside.id()).isPresent()
            + parked.discard(parked.plan(KeptFilter.all().id(aside.id())), "tried"),
        "quarantined "
            + odd.reason()
            + quarantined.get(odd.id()).isPresent()
            + quarantined.discard(quarantined.plan(KeptFilter.all().id(odd.id())), "tried"));
  }

  private static void keepAside(Database database) {
    String fingerprint = "X'" + "ab".repeat(32) + "'";
    database.run(
        """
        INSERT INTO no_jpa_inbox_stored
          (consumer, message_id, status, captured, reason, error, attempts, fingerprint,
           fingerprint_version, precedence, headers, size, body_type, properties, kept_at)
        VALUES
          ('shipping', 'm-1', 'PARKED', FALSE, 'REJECTED', 'x', 1, %1$s, 1, 5, '{}', 0, 'NONE',
           '{}', CURRENT_TIMESTAMP),
          ('shipping', NULL, 'QUARANTINED', FALSE, 'MISSING_ID', '', 0, %1$s, 1, 5, '{}', 0, 'NONE',
           '{}', CURRENT_TIMESTAMP)
        """
            .formatted(fingerprint));
  }

  private static boolean seesJpa() {
    try {
      Class.forName("jakarta.persistence.EntityManager");
      return true;
    } catch (ClassNotFoundException absent) {
      return false; // which is the answer
    }
  }
}
