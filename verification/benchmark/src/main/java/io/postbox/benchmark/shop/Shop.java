package io.postbox.benchmark.shop;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Takes an order, ships it, marks it as shipped, bills it: what the sample does, with a message
 * sent where the sample enqueues one. Each method joins the transaction of its caller or begins
 * one.
 */
@ApplicationScoped
@Transactional
public class Shop {
  private static final String[] TABLES = {
    "CREATE SEQUENCE IF NOT EXISTS bare_order_seq",
    "CREATE TABLE IF NOT EXISTS bare_order"
        + " (id BIGINT PRIMARY KEY, sku VARCHAR(50), quantity INTEGER, status VARCHAR(10))",
    "CREATE TABLE IF NOT EXISTS bare_stock (sku VARCHAR(50) PRIMARY KEY, quantity BIGINT)",
    "CREATE TABLE IF NOT EXISTS bare_shipment (order_id BIGINT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS bare_invoice (order_id BIGINT PRIMARY KEY)",
    "MERGE INTO bare_stock KEY (sku)"
        + " VALUES ('BOOK-1', 1000000), ('PEN-1', 1000000), ('PEN-2', 1000000)",
  };

  @Resource(lookup = "java:comp/DefaultDataSource")
  private DataSource database;

  @Resource(lookup = "java:comp/DefaultJMSConnectionFactory")
  private ConnectionFactory connections;

  @Resource(lookup = "jms/shipping")
  private Queue shipping;

  @Resource(lookup = "jms/orders")
  private Queue orders;

  @Resource(lookup = "jms/billing")
  private Queue billing;

  /** Makes the tables, outside of any transaction. */
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public void createTables() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
  }

  /** Takes an order and asks for its shipment; returns its number. */
  public long order(String sku, int quantity) throws SQLException {
    long id = number("SELECT NEXT VALUE FOR bare_order_seq");
    update(
        "INSERT INTO bare_order (id, sku, quantity, status) VALUES (?, ?, ?, 'PLACED')",
        id,
        sku,
        quantity);
    send(shipping, id, sku, quantity);
    return id;
  }

  /** Ships an order, and says so to those who mark and bill it. */
  public void ship(long id, String sku, int quantity) throws SQLException {
    update("INSERT INTO bare_shipment (order_id) VALUES (?)", id);
    update("UPDATE bare_stock SET quantity = quantity - ? WHERE sku = ?", quantity, sku);
    send(orders, id, sku, quantity);
    send(billing, id, sku, quantity);
  }

  /** Marks an order as shipped. */
  public void shipped(long id) throws SQLException {
    update("UPDATE bare_order SET status = 'SHIPPED' WHERE id = ?", id);
  }

  /** Writes the invoice of an order. */
  public void bill(long id) throws SQLException {
    update("INSERT INTO bare_invoice (order_id) VALUES (?)", id);
  }

  /** The counts that the sample answers, as JSON. */
  public String totals() throws SQLException {
    return "{\"orders\":%s,\"shipments\":%s,\"shippedOrders\":%s,\"invoices\":%s,\"pending\":0}"
        .formatted(
            number("SELECT COUNT(*) FROM bare_order"),
            number("SELECT COUNT(*) FROM bare_shipment"),
            number("SELECT COUNT(*) FROM bare_order WHERE status = 'SHIPPED'"),
            number("SELECT COUNT(*) FROM bare_invoice"));
  }

  private void send(Queue queue, long id, String sku, int quantity) {
    try (JMSContext context = connections.createContext()) {
      context.createProducer().send(queue, id + ";" + sku + ";" + quantity);
    }
  }

  private long number(String query) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private void update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      if (statement.executeUpdate() != 1) {
        throw new SQLException("No row was changed by " + sql);
      }
    }
  }
}
