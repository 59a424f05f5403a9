package shop;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.InboxStatistics;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import java.io.File;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** Runs in Open Liberty, with its transactions, its messaging and its redeliveries. */
@ArquillianTest
class ShopIT {
  @Inject OrderService orders;
  @Inject InboxStatistics inbox;

  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource dataSource;

  @Deployment
  static WebArchive application() {
    return ShrinkWrap.create(WebArchive.class, "shop.war")
        .addClasses(OrderService.class, ShippingMdb.class)
        .addAsLibraries(new File("target/libs").listFiles())
        .addAsResource(
            new StringAsset(
                """
                postbox.service=shop
                postbox.outbox.create-tables=true
                postbox.inbox.create-tables=true
                """),
            "META-INF/microprofile-config.properties");
  }

  @Test
  void anOrderIsShippedOnceHoweverOftenItIsSent() throws SQLException {
    UUID id = UUID.randomUUID();
    orders.place("A-1", id);
    await().atMost(ofSeconds(60)).untilAsserted(() -> assertThat(shipments()).isOne());

    orders.place("A-1", id);
    await().atMost(ofSeconds(60)).untilAsserted(() -> assertThat(skipped()).isOne());
    assertThat(shipments()).isOne();
  }

  private long skipped() {
    return inbox.byConsumer().get(0).skipped();
  }

  private int shipments() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM shipment")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
