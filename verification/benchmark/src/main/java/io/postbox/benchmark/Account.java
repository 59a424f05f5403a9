package io.postbox.benchmark;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The row that a business transaction changes; EnqueueBenchmark makes its table. */
@Entity
public class Account {
  @Id private long id;
  private long balance;

  protected Account() {}

  void add(long amount) {
    balance += amount;
  }

  long balance() {
    return balance;
  }

  long id() {
    return id;
  }
}
