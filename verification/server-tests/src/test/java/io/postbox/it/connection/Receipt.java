package io.postbox.it.connection;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An entity whose listener enqueues a message. */
@Entity
@Table(name = "connection_receipt")
@EntityListeners(LateEnqueuer.OfReceipts.class)
public class Receipt {
  @Id private String name;

  /** For JPA. */
  protected Receipt() {}

  Receipt(String name) {
    this.name = name;
  }

  /** The name of the article. */
  public String name() {
    return name;
  }
}
