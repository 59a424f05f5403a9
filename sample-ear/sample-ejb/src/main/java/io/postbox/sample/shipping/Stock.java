package io.postbox.sample.shipping;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;

/** How much of an article the warehouse holds. */
@Entity
@Table(name = "stock")
@NamedQuery(
    name = Stock.TAKE,
    query =
        "UPDATE Stock s SET s.quantity = s.quantity - :quantity"
            + " WHERE s.sku = :sku AND s.quantity >= :quantity")
class Stock {
  /**
   * Takes goods, if there are enough of them: one statement that asks and takes, so that two
   * shipments at once cannot both take the last one.
   */
  static final String TAKE = "Stock.take";

  @Id private String sku = "";
  private long quantity;

  protected Stock() {}

  StockLevel level() {
    return new StockLevel(sku, quantity);
  }
}
