package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.DataSources;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.receiver.EffectStore.Made;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class JdbcEffectStoreTest {
  @Parameter TestDatabase database;
  private boolean answers = true;
  private InboxDatabase installation;
  private JdbcEffectStore rows;

  @BeforeEach
  void makeTheTables() throws SQLException {
    String url = database.freshUrl();
    installation = new InboxDatabase(TestConfig.shop(true), dataSource(url));
    installation.encryptWith(Optional::empty);
    rows = new JdbcEffectStore(installation);
  }

  @Test
  void aResultIsCommittedAndTheFirstCounts() {
    installation.prepare();
    assertThat(rows.recall("shipping", "id-1", "charge")).isEmpty();

    assertThat(rows.remember("shipping", "id-1", "charge", new Made("ch-1")))
        .isEqualTo(new Made("ch-1"));
    assertThat(rows.remember("shipping", "id-1", "charge", new Made("ch-2")))
        .isEqualTo(new Made("ch-1"));
    assertThat(rows.remember("shipping", "id-1", "mail", new Made(""))).isEqualTo(new Made(""));

    assertThat(rows.recall("shipping", "id-1", "charge")).contains(new Made("ch-1"));
    assertThat(rows.recall("shipping", "id-1", "mail")).contains(new Made(""));
    assertThat(rows.recall("shipping", "id-2", "charge")).isEmpty();
    assertThat(rows.recall("billing", "id-1", "charge")).isEmpty();
  }

  @Test
  void anEffectWhoseResultCannotBeStoredIsKnownToBeMade() {
    installation.prepare();
    Made unstorable = new Made(null);

    assertThat(rows.remember("shipping", "id-1", "charge", unstorable)).isEqualTo(unstorable);

    assertThat(rows.recall("shipping", "id-1", "charge")).contains(unstorable);
  }

  @Test
  void theLongestReturnFits() {
    installation.prepare();
    String longest = "x".repeat(1_048_576);

    rows.remember("c".repeat(100), "i".repeat(200), "e".repeat(200), new Made(longest));

    assertThat(rows.recall("c".repeat(100), "i".repeat(200), "e".repeat(200)))
        .contains(new Made(longest));
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsAnErrorThatNamesTheEffect() {
    installation.prepare();
    answers = false;

    assertThatThrownBy(() -> rows.recall("shipping", "id-1", "charge"))
        .isInstanceOf(InboxException.class)
        .hasMessageContainingAll("'charge'", "id-1", "'shipping'", "connection refused")
        .hasCauseInstanceOf(SQLException.class);
  }

  @Test
  void tablesThatAreNotReadyAreAnError() {
    assertThatThrownBy(() -> rows.recall("shipping", "id-1", "charge"))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("have not been checked yet");
  }

  private DataSource dataSource(String url) {
    return DataSources.of(() -> connect(url));
  }

  private Connection connect(String url) throws SQLException {
    if (!answers) {
      throw new SQLException("connection refused", "08001");
    }
    return TestDatabase.connect(url);
  }
}
