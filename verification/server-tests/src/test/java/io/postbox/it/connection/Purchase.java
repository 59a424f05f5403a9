package io.postbox.it.connection;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** A domain row that JPA writes. */
@Entity
@Table(name = "connection_purchase")
public class Purchase {
  @Id private String name;
  private boolean paid;
  @Version private int version;

  /** For JPA. */
  protected Purchase() {}

  Purchase(String name) {
    this.name = name;
  }

  /** Changes it, which a flush writes. */
  void pay() {
    paid = true;
  }

  /** Whether it is paid. */
  public boolean paid() {
    return paid;
  }

  /** The name of the article. */
  public String name() {
    return name;
  }
}
