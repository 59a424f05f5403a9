package io.postbox.it.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The data source of the application has four connections, and a request waits 1 s for one. */
@Tag("full")
@OnPostgres("http-pool")
class HttpPoolIT {
  private static final String SMALL = "jdbc/pg-small";
  private static final int MORE = 24;

  private final TestApplication application = TestApplication.of(getClass());
  private final TillClient client = new TillClient(application.service());
  private final String body = UUID.randomUUID().toString();
  private final String key = UUID.randomUUID().toString();

  @Inject Till till;
  @Inject Purse purse;

  static EnterpriseArchive application(TestApplication it) {
    Map<String, String> settings = Archives.settings(it);
    settings.replaceAll((name, value) -> name.endsWith(".data-source") ? SMALL : value);
    return Archives.ear(
        it.service(),
        Archives.ejbModule(it.service(), settings, Purse.class, Clerk.class),
        Archives.webModule(
                it.service(), it.test(), Till.class, TillApplication.class, TillClient.class)
            .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar"));
  }

  @BeforeEach
  void useTheDatabase() throws SQLException {
    purse.use(Names.lookup(application.dataSource(), DataSource.class));
    purse.useWithTable(Names.lookup(SMALL, DataSource.class)); // the test keeps none of it
  }

  @Test
  void requestsThatWaitForTheFirstHoldNoConnections() throws Exception {
    till.hold(body);
    CompletableFuture<HttpResponse<String>> first = client.postLater("201", key, body);
    List<CompletableFuture<HttpResponse<String>>> repeats = new ArrayList<>();
    try {
      till.awaitEntered(body);
      for (int i = 0; i < MORE; i++) {
        repeats.add(client.postLater("201", key, body));
      }
      assertThat(client.post("201", UUID.randomUUID().toString(), "another").statusCode())
          .as("another request meanwhile")
          .isEqualTo(201);
      for (CompletableFuture<HttpResponse<String>> repeat : repeats) {
        assertThat(repeat.get().statusCode()).isEqualTo(409);
        assertThat(repeat.get().headers().firstValue("Retry-After")).isPresent();
      }
    } finally {
      till.letGo(body);
    }

    assertThat(client.post("201", key, body).body()).isEqualTo(first.get().body());
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void requestsThatWaitForAnotherNodeLeaveConnectionsToOthers() throws Exception {
    List<String> keys = Stream.generate(() -> UUID.randomUUID().toString()).limit(MORE).toList();
    String owner = ownerOfKeys();
    List<Integer> answers = new ArrayList<>();
    try (Connection otherNode = Names.lookup("jdbc/pg", DataSource.class).getConnection()) {
      otherNode.setAutoCommit(false);
      for (String each : keys) {
        insert(otherNode, each + " " + owner);
      }
      List<CompletableFuture<HttpResponse<String>>> waiting =
          keys.stream().map(each -> client.postLater("201", each, body)).toList();
      for (CompletableFuture<HttpResponse<String>> each : waiting) {
        answers.add(each.get().statusCode());
      }
      otherNode.rollback();
    }

    assertThat(answers).containsOnly(409);
    assertThat(payments()).isZero();
    assertThat(client.post("201", keys.get(0), body).statusCode()).isEqualTo(201);
  }

  @Test
  void aRequestThatGetsNoConnectionIsToldToRetry() throws Exception {
    List<String> others = Stream.generate(() -> UUID.randomUUID().toString()).limit(4).toList();
    HttpResponse<String> refused;
    try {
      for (String other : others) {
        till.hold(other);
        client.postLater("201", other, other);
        till.awaitEntered(other);
      }
      refused = client.post("201", key, body);
    } finally {
      others.forEach(till::letGo);
    }

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.body()).contains("Inbox unavailable").doesNotContain("Exception");
    assertThat(payments()).isZero();
    assertThat(client.post("201", key, body).statusCode()).isEqualTo(201);
    assertThat(payments()).isEqualTo(1);
  }

  /** The suffix that the inbox appends to the keys of this caller and method. */
  private String ownerOfKeys() throws Exception {
    String sample = UUID.randomUUID().toString();
    client.post("201", sample, "sample");
    return application
        .database()
        .value(
            "SELECT message_id FROM %sinbox_message WHERE message_id LIKE ?"
                .formatted(application.prefix()),
            sample + " %")
        .substring(sample.length() + 1);
  }

  private void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            INSERT INTO %sinbox_message
              (consumer, message_id, fingerprint, fingerprint_version, headers)
            VALUES ('till', ?, ?, 1, '{}')
            """
                .formatted(application.prefix()))) {
      statement.setString(1, id);
      statement.setBytes(2, new byte[32]);
      statement.executeUpdate();
    }
  }

  private int payments() {
    return Integer.parseInt(
        application.database().value("SELECT COUNT(*) FROM http_payment WHERE body = ?", body));
  }
}
