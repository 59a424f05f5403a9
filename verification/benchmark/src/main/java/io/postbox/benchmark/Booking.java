package io.postbox.benchmark;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** The row that a business transaction adds; EnqueueBenchmark makes its table. */
@Entity
@SuppressWarnings("UnusedVariable") // JPA reads the fields
public class Booking {
  @Id private String id = "";
  private long account;
  private long balance;

  protected Booking() {}

  Booking(Account account) {
    id = UUID.randomUUID().toString();
    this.account = account.id();
    balance = account.balance();
  }
}
