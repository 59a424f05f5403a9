package io.postbox.it.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.InboxNode.RunningConsumer;
import io.postbox.inbox.InboxNodes;
import io.postbox.it.frame.Archives;
import io.postbox.it.payload.Vault;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.OnH2;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The application has a cipher. */
@Tag("full")
@OnH2("http-sealed")
class HttpSealedIT {
  private final TestApplication application = TestApplication.of(getClass());
  private final TillClient client = new TillClient(application.service());

  @Inject Purse purse;
  @Inject InboxNodes nodes;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.service(),
        Archives.ejbModule(
            it.service(), Archives.settings(it), Purse.class, Clerk.class, Vault.class),
        Archives.webModule(
                it.service(), it.test(), Till.class, TillApplication.class, TillClient.class)
            .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar"));
  }

  /** Otherwise another node would take it for one that nobody has, and for its old name. */
  @Test
  void aNodeNamesWhatItRemembersRequestsAsBeforeThereIsOne() {
    await().until(() -> !nodes.list().isEmpty());
    assertThat(nodes.list())
        .allSatisfy(
            node ->
                assertThat(node.consumers())
                    .extracting(RunningConsumer::consumer)
                    .contains("till"));
  }

  @Test
  void theStoredResponseIsEncryptedAndTheRepeatedOneIsNot() throws Exception {
    purse.use(Names.lookup(application.dataSource(), DataSource.class));
    String key = UUID.randomUUID().toString();
    HttpResponse<String> first = client.post("201", key, "sealed");
    HttpResponse<String> repeat = client.post("201", key, "sealed");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(repeat.statusCode()).isEqualTo(201);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(stored("result", key)).isNull();
    assertThat(stored("sealed_result", key)).isNotEmpty().doesNotContain("201", "text/plain");
    assertThat(
            application
                .database()
                .value(
                    "SELECT headers FROM %sinbox_message WHERE message_id LIKE ?"
                        .formatted(application.prefix()),
                    key + " %"))
        .contains("\"httpStatus\":\"201\"")
        .doesNotContain("payments");
    assertThat(client.post("201", key, "another").statusCode()).isEqualTo(422);
  }

  private String stored(String column, String key) {
    return application
        .database()
        .value(
            "SELECT %s FROM %sinbox_result WHERE message_id LIKE ?"
                .formatted(column, application.prefix()),
            key + " %");
  }
}
