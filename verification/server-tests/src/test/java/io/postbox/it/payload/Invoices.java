package io.postbox.it.payload;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The application's archive, in memory. */
@ApplicationScoped
public class Invoices implements PayloadLoader {
  @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
  TransactionSynchronizationRegistry transactions;

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /** Files one. */
  public void put(String id, String text) {
    texts.put(id, text);
  }

  @Override
  public Optional<LoadedPayload> load(String table, String id) {
    if (transactions.getTransactionStatus() != Status.STATUS_NO_TRANSACTION) {
      throw new IllegalStateException("there is a transaction");
    }
    return Optional.ofNullable(texts.get(table + "/" + id)).map(LoadedPayload::json);
  }
}
