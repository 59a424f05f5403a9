package io.postbox.it.kept;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.KeptMessage;
import io.postbox.it.tools.OnPostgres;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The data source is XA, and is used outside of any transaction here. */
@OnPostgres
class KeptOnPostgresIT extends KeptTests {
  @Test
  void aMessageIsNotSentUnlessItsRedriveIsCommitted() {
    UUID id = UUID.randomUUID();
    KeptMessage message = park(id, "half done");
    long skipped = skipped();
    desk.mend("half done");
    database()
        .run(
            """
            CREATE OR REPLACE FUNCTION kept_pg_fail() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN RAISE EXCEPTION ''no commit today''; END'
            """);
    database()
        .run(
            """
            CREATE CONSTRAINT TRIGGER kept_pg_no_commit AFTER UPDATE ON kept_pg_inbox_stored
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION kept_pg_fail()
            """);
    try {
      assertThatThrownBy(() -> operator.redriveAndRollBack(id.toString(), "x"))
          .hasStackTraceContaining("it is failed. 0 of 1 messages were changed")
          .hasStackTraceContaining("SQLState P0001"); // its words stay out, as there is a cipher
    } finally {
      database().run("DROP TRIGGER kept_pg_no_commit ON kept_pg_inbox_stored");
    }
    assertThat(parked.get(message.id())).isPresent();
    assertThat(desk.handled("half done")).isZero();

    assertThat(operator.redriveAndRollBack(id.toString(), "x").messages()).isOne();
    eventually(() -> assertThat(desk.handled("half done")).isOne());
    assertThat(skipped()).as("further copies").isEqualTo(skipped);
  }
}
