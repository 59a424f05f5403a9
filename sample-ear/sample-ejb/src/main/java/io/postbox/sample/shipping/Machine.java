package io.postbox.sample.shipping;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;

/** A machine of the warehouse, which works or does not, for all nodes. */
@Entity
@Table(name = "machine")
@NamedQuery(
    name = Machine.SET,
    query = "UPDATE Machine m SET m.broken = :broken WHERE m.name = :name")
class Machine {
  static final String LABEL_PRINTER = "LABEL-PRINTER";

  /** Breaks or mends one. */
  static final String SET = "Machine.set";

  @Id private String name = "";
  private boolean broken;

  protected Machine() {}

  boolean isBroken() {
    return broken;
  }
}
