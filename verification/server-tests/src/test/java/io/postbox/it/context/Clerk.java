package io.postbox.it.context;

import io.postbox.inbox.InboxContext;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** Works for handlers: charges an outside system, and books in the database. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Clerk {
  @Inject InboxContext context;
  @Inject Notes notes;
  @Resource TransactionSynchronizationRegistry transactions;

  @PostConstruct
  void makeTables() {
    database().run("CREATE TABLE IF NOT EXISTS context_booking (text VARCHAR(100) NOT NULL)");
    database().run("CREATE TABLE IF NOT EXISTS context_outside (text VARCHAR(100) NOT NULL)");
  }

  /** Charges once, books, and then fails in the first so many attempts. */
  public void work(String text, int failures) {
    notes.add(text + " delivered", context.consumer() + "/" + context.messageId());
    notes.add(text + " attempt", String.valueOf(context.attempt()));
    notes.add(text + " key", context.idempotencyKey("charge"));
    String charge = context.once("charge", key -> charge(text, key));
    notes.add(text + " got", charge);
    database().run("INSERT INTO context_booking (text) VALUES (?)", text);
    context.result("booked " + text);
    if (notes.about(text + " attempt").size() <= failures) {
      throw new IllegalStateException("the handler fails after it has charged");
    }
  }

  /** Reads the payload as an object, and notes it under the message's id. */
  public String read() {
    String read =
        context.payload(Reading.class) + " of " + context.schemaVersion().orElse("no version");
    notes.add(context.messageId(), read);
    return read;
  }

  private String charge(String text, String key) {
    notes.add(text + " charged", key);
    notes.add(
        text + " suspended",
        String.valueOf(transactions.getTransactionStatus() == Status.STATUS_NO_TRANSACTION));
    database().run("INSERT INTO context_outside (text) VALUES (?)", text);
    return "receipt-" + notes.about(text + " charged").size();
  }

  static Database database() {
    return Database.at(Names.variable("postbox.inbox.data-source"));
  }
}
