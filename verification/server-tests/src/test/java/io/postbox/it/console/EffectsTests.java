package io.postbox.it.console;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OutboxProperties;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.RelayControl;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.transaction.UserTransaction;
import java.io.StringReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People's actions in the console, which reach the queue or do not. */
abstract class EffectsTests {
  private static final String QUEUE = "jms/effects";
  private static final String DESTINATION = "effects";

  private final TestApplication application = TestApplication.of(getClass());
  private final String prefix = application.prefix();

  @Inject Outbox outbox;
  @Inject RelayControl relay;
  @Inject UserTransaction transaction;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.earWithConsole(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.outbox.after-sending",
            "archive",
            "postbox.outbox.destination.answers.jndi-name",
            "jms/replies",
            "postbox.console.enabled",
            "true",
            "postbox.console.actions-per-minute",
            "300"));
  }

  @BeforeEach
  void nothingIsLeft() {
    for (String table :
        List.of(
            "outbox_message",
            "outbox_held_key",
            "outbox_switch",
            "outbox_failure",
            "outbox_archive",
            "postbox_audit")) {
      application.database().run("DELETE FROM " + prefix + table);
    }
    Broker.drain(QUEUE);
  }

  private Browser as(String user) {
    return Browser.of(
        user,
        "http://localhost:"
            + Names.variable("http.port")
            + "/"
            + application.service()
            + "-console/api/");
  }

  private static JsonObject json(HttpResponse<String> answer) {
    try (var reader = Json.createReader(new StringReader(answer.body()))) {
      return reader.readObject();
    }
  }

  private static JsonObject ok(int status, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return json(answer);
  }

  private UUID enqueue(OutboxMessage message) throws Exception {
    transaction.begin();
    UUID id = outbox.enqueue(message);
    transaction.commit();
    return id;
  }

  private static String text(Message message) throws JMSException {
    return message.getBody(String.class);
  }

  private static String id(Message message) throws JMSException {
    return message.getStringProperty(OutboxProperties.MESSAGE_ID);
  }

  private List<String> audit() {
    Database database = application.database();
    return database.column(
        "SELECT action || ' ' || principal || ' ' || reason FROM "
            + prefix
            + "postbox_audit ORDER BY at");
  }

  private static OutboxMessage keyed(String text) {
    return OutboxMessage.to(DESTINATION).orderedBy("k").text(text).replyTo("answers");
  }

  private JsonObject plan(String action, UUID id) {
    return ok(
        201,
        as("operator")
            .send(
                "POST", "outbox/plans", "{\"action\":\"%s\",\"id\":\"%s\"}".formatted(action, id)));
  }

  private JsonObject run(JsonObject plan, String reason) {
    return ok(200, running(plan, reason));
  }

  private HttpResponse<String> running(JsonObject plan, String reason) {
    return as("operator")
        .send(
            "POST",
            "plans/" + plan.getString("id") + "/run",
            "{\"reason\":\"%s\"}".formatted(reason));
  }

  /** A dead head with two messages behind it. */
  private UUID deadHead() throws Exception {
    relay.pause(DESTINATION, "preparing");
    UUID head = enqueue(keyed("wrong"));
    enqueue(keyed("second"));
    enqueue(keyed("third"));
    Database database = application.database();
    database.run(
        "UPDATE "
            + prefix
            + "outbox_message SET status = 'DEAD', attempts = 10, last_error = 'refused'"
            + " WHERE id = ?",
        head);
    database.run(
        "INSERT INTO %1$soutbox_held_key (partition_no, destination, ordering_key, head_id) SELECT partition_no, destination, ordering_key, id FROM %1$soutbox_message WHERE status = 'DEAD'"
            .formatted(prefix));
    relay.resume(DESTINATION, "prepared");
    eventually(
        () ->
            assertThat(
                    database.column("SELECT status FROM " + prefix + "outbox_message ORDER BY seq"))
                .containsExactly("DEAD", "HELD", "HELD"));
    database.run("DELETE FROM " + prefix + "postbox_audit");
    return head;
  }

  @Test
  void anEditedHeadArrivesWithItsNewBodyAndItsFollowersAfterIt() throws Exception {
    UUID head = deadHead();
    JsonObjectBuilder edit =
        Json.createObjectBuilder()
            .add("id", head.toString())
            .add("text", "right")
            .add("properties", Json.createObjectBuilder().add("priority", "integer:5"));

    JsonObject change = edit.build();
    JsonObject plan = ok(201, as("editor").send("POST", "outbox/edits", change.toString()));

    assertThat(plan.getString("replyTo")).isEqualTo("answers");
    assertThat(plan.getString("source")).isEqualTo(application.service());
    assertThat(plan.getInt("followers")).isEqualTo(2);
    assertThat(plan.getJsonObject("before").getString("sha256"))
        .isNotEqualTo(plan.getJsonObject("after").getString("sha256"));
    assertThat(plan.getJsonObject("after").getJsonArray("properties"))
        .hasToString("[\"priority\"]");
    assertThat(plan.toString()).doesNotContain("right");
    assertThat(audit()).isEmpty();

    String path = "outbox/edits/" + plan.getString("id") + "/run";
    String reason = Json.createObjectBuilder(change).add("reason", "typo").build().toString();
    String other = reason.replace("right", "left");
    assertThat(
            application
                .database()
                .column(
                    "SELECT plan FROM "
                        + prefix
                        + "outbox_action WHERE state = 'PLANNED' AND principal = 'editor'"))
        .last()
        .asString()
        .doesNotContain("right");
    assertThat(as("operator").send("POST", path, reason).statusCode()).isEqualTo(403);
    assertThat(
            as("operator")
                .send("POST", "plans/" + plan.getString("id") + "/run", "{\"reason\":\"typo\"}")
                .body())
        .contains("plan-refused");
    assertThat(as("editor").send("POST", path, other).body())
        .as("a change that was not planned")
        .contains("plan-refused");
    String edited = ok(200, as("editor").send("POST", path, reason)).getString("message");
    assertThat(as("editor").send("POST", path, reason).body()).contains("plan-refused");
    assertThat(edited).isNotEqualTo(head.toString());
    assertThat(editor(ok(200, as("viewer").get("outbox/dead-letters/" + edited))))
        .isEqualTo("editor: typo");

    assertThat(as("viewer").get("outbox/dead-letters/" + edited + "/payload").statusCode())
        .isEqualTo(403);
    assertThat(as("payload").get("outbox/dead-letters/" + edited + "/payload?show=full").body())
        .isEqualTo("right");

    String letters = "{\"action\":\"redrive\",\"filter\":{\"id\":\"%s\"}}".formatted(edited);
    JsonObject redrive = ok(201, as("operator").send("POST", "outbox/plans", letters));
    ok(202, running(redrive, "mended"));
    List<Message> received = Broker.receive(QUEUE, 3);
    assertThat(text(received.get(0))).isEqualTo("right");
    assertThat(id(received.get(0))).isEqualTo(edited);
    assertThat(received.get(0).getIntProperty("priority")).isEqualTo(5);
    assertThat(text(received.get(1))).isEqualTo("second");
    assertThat(text(received.get(2))).isEqualTo("third");
    assertThat(audit())
        .containsExactly(
            "edit editor typo", "view-payload payload seen", "redrive operator mended");
  }

  private static String editor(JsonObject message) {
    JsonObject edited = message.getJsonObject("edited");
    return edited.getString("principal") + ": " + edited.getString("reason");
  }

  @Test
  void anEditThatCouldNotBeSentIsRefusedAndChangesNothing() throws Exception {
    UUID head = deadHead();
    for (String edit :
        List.of(
            "{\"id\":\"%s\"}",
            "{\"id\":\"%s\",\"text\":\"a\",\"bytes\":\"AA==\"}",
            "{\"id\":\"%s\",\"bytes\":\"?\"}",
            "{\"id\":\"%s\",\"properties\":{\"a\":\"number:5\"}}",
            "{\"id\":\"%s\",\"properties\":{\"a\":\"integer:five\"}}",
            "{\"id\":\"%s\",\"properties\":{\"JMSType\":\"string:x\"}}",
            "{\"id\":\"%s\",\"text\":\"\\u0000\"}")) {
      HttpResponse<String> answer = as("editor").send("POST", "outbox/edits", edit.formatted(head));
      assertThat(answer.statusCode()).as(edit + answer.body()).isEqualTo(400);
      assertThat(answer.body()).doesNotContain("Exception", head.toString());
    }
    assertThat(
            as("editor")
                .send(
                    "POST",
                    "outbox/edits",
                    "{\"id\":\"%s\",\"text\":\"a\"}".formatted(UUID.randomUUID()))
                .statusCode())
        .isEqualTo(404);
    assertThat(
            application
                .database()
                .value("SELECT id FROM " + prefix + "outbox_message WHERE status = 'DEAD'"))
        .isEqualTo(head.toString());
    assertThat(audit()).isEmpty();
  }

  @Test
  void anEditedParkedMessageIsSentWithItsNewBodyUnderItsId() throws Exception {
    Database database = application.database();
    database.run("DELETE FROM " + prefix + "inbox_stored");
    String message = UUID.randomUUID().toString();
    database.run(
        "INSERT INTO "
            + prefix
            + "inbox_stored (consumer, message_id, status, captured, reason, error, signature,"
            + " attempts, fingerprint, fingerprint_version, precedence, headers, size, destination,"
            + " reply_to, body_type, payload_text, properties, kept_at) VALUES ('elsewhere', ?,"
            + " 'PARKED', FALSE, 'REJECTED', 'no', '', 1, ?, 2, 5, '{}', 5, 'queue:EFFECTS',"
            + " 'queue:REPLIES', 'TEXT', 'wrong', ?, CURRENT_TIMESTAMP)",
        message,
        message.substring(0, 32).getBytes(StandardCharsets.US_ASCII),
        "{\"headers\":{},\"properties\":{\"OutboxMessageId\":\"string:%s\"}}".formatted(message));
    String id = database.value("SELECT id FROM " + prefix + "inbox_stored");
    String edit = "{\"id\":\"%s\",\"text\":\"right\",\"properties\":%s}";
    assertThat(
            as("editor")
                .send(
                    "POST", "inbox/edits", edit.formatted(id, "{\"OutboxMessageId\":\"string:x\"}"))
                .statusCode())
        .isEqualTo(400);

    String change = edit.formatted(id, "{\"region\":\"string:north\"}");
    JsonObject plan = ok(201, as("editor").send("POST", "inbox/edits", change));
    assertThat(plan.getString("replyTo")).isEqualTo("queue:REPLIES");
    assertThat(plan.getJsonObject("before").getInt("bytes")).isEqualTo(5);
    assertThat(plan.getJsonObject("after").getJsonArray("properties"))
        .hasToString("[\"OutboxMessageId\",\"region\"]");
    String run = "inbox/edits/" + plan.getString("id") + "/run";
    assertThat(as("operator").send("POST", run, "{\"reason\":\"typo\"}").statusCode())
        .isEqualTo(403);
    ok(
        200,
        as("editor").send("POST", run, change.replace("{\"id\"", "{\"reason\":\"typo\",\"id\"")));
    assertThat(editor(ok(200, as("viewer").get("inbox/parked/" + id)))).isEqualTo("editor: typo");

    JsonObject redrive =
        ok(
            201,
            as("operator")
                .send(
                    "POST",
                    "inbox/plans",
                    "{\"kind\":\"parked\",\"action\":\"redrive\",\"replies\":\"drop\",\"filter\":{\"id\":\"%s\"}}"
                        .formatted(id)));
    HttpResponse<String> started =
        as("operator")
            .send(
                "POST",
                "plans/" + redrive.getString("id") + "/run",
                "{\"reason\":\"mended\",\"perSecond\":10,\"first\":1}");
    String action = "actions/" + ok(202, started).getString("action");
    Message sent = Broker.receive(QUEUE);
    assertThat(text(sent)).isEqualTo("right");
    assertThat(id(sent)).isEqualTo(message);
    assertThat(sent.getStringProperty("region")).isEqualTo("north");
    assertThat(json(as("viewer").get(action)).getString("state")).isEqualTo("RUNNING");
    ok(200, as("operator").send("POST", action + "/cancel", "{\"reason\":\"nobody listens\"}"));
    assertThat(audit()).contains("edit editor typo", "redrive operator mended");
  }

  @Test
  void aCancelledMessageNeverArrives() throws Exception {
    relay.pause(DESTINATION, "maintenance");
    UUID cancelled = enqueue(OutboxMessage.to(DESTINATION).text("cancelled").unordered());
    JsonObject plan = plan("cancel", cancelled);
    JsonObject late = plan("cancel", cancelled);

    assertThat(plan.getInt("messages")).isEqualTo(1);
    assertThat(plan.getJsonObject("message").getString("status")).isEqualTo("PENDING");
    JsonObject done = run(plan, "never mind");
    assertThat(done.getBoolean("changed")).isTrue();
    assertThat(running(plan, "never mind").body()).contains("plan-refused");
    assertThat(run(late, "never mind").getBoolean("changed")).isFalse();
    assertThat(plan("cancel", cancelled).getInt("messages")).isZero();

    relay.resume(DESTINATION, "over");
    enqueue(OutboxMessage.to(DESTINATION).text("another").unordered());
    assertThat(text(Broker.receive(QUEUE))).isEqualTo("another");
    assertThat(relay.awaitEmpty(DESTINATION, Duration.ofSeconds(20))).isTrue();
    assertThat(Broker.depth(QUEUE)).isZero();
    JsonObject archived =
        json(as("viewer").get("outbox/archive?outcome=DISCARDED"))
            .getJsonArray("items")
            .getJsonObject(0);
    assertThat(archived.getString("id")).isEqualTo(cancelled.toString());
    assertThat(audit()).contains("cancel-message operator never mind");
  }

  @Test
  void anArchivedMessageArrivesOnceMoreUnderItsOwnOrANewId() throws Exception {
    UUID sent = enqueue(keyed("once more"));
    assertThat(text(Broker.receive(QUEUE))).isEqualTo("once more");
    assertThat(relay.awaitEmpty(DESTINATION, Duration.ofSeconds(20))).isTrue();
    eventually(
        () ->
            assertThat(
                    json(as("viewer").get("outbox/archive?key=k&outcome=SENT"))
                        .getJsonArray("items"))
                .hasSize(1));

    assertThat(run(plan("resend", sent), "lost").getString("message")).isEqualTo(sent.toString());
    Message again = Broker.receive(QUEUE);
    assertThat(id(again)).isEqualTo(sent.toString());
    assertThat(text(again)).isEqualTo("once more");

    JsonObject plan = plan("resend-as", sent);
    assertThat(plan.getString("newId")).isNotEqualTo(sent.toString());
    assertThat(run(plan, "handle it again").getString("message"))
        .isEqualTo(plan.getString("newId"));
    Message anew = Broker.receive(QUEUE);
    assertThat(id(anew)).isEqualTo(plan.getString("newId"));
    assertThat(text(anew)).isEqualTo("once more");

    JsonObject destination =
        json(as("viewer").get("destinations"))
            .getJsonArray("items")
            .getValuesAs(JsonObject.class)
            .stream()
            .filter(each -> each.getString("name").equals(DESTINATION))
            .findFirst()
            .orElseThrow();
    assertThat(destination.getInt("relayed")).isGreaterThanOrEqualTo(3);
    assertThat(json(as("viewer").get("overview")).getJsonObject("outbox").getInt("relayed"))
        .isGreaterThanOrEqualTo(3);

    relay.pause(DESTINATION, "maintenance");
    JsonObject first = plan("resend", sent);
    JsonObject second = plan("resend", sent);
    run(first, "again");
    assertThat(running(second, "again").body()).contains("in-outbox");
    assertThat(plan("resend", UUID.randomUUID()).getInt("messages")).isZero();
    relay.resume(DESTINATION, "over");
    assertThat(id(Broker.receive(QUEUE))).isEqualTo(sent.toString());
    assertThat(audit()).contains("resend operator lost", "resend operator handle it again");
  }
}
