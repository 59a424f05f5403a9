package io.postbox.it.connection;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A domain row that JPA writes. */
@Entity
@Table(name = "connection_purchase")
public class Purchase {
  @Id private String name;

  /** For JPA. */
  protected Purchase() {}

  Purchase(String name) {
    this.name = name;
  }

  /** What was bought. */
  public String name() {
    return name;
  }
}
