package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.metrics.Meters;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.testing.DataSources;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.interceptor.RequestAnswers.Claim;
import io.postbox.inbox.metrics.InboxMeters;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestAnswersTest {
  private static final String ID = "key 0123";

  /** Retention deletes ids and answers in transactions of their own. */
  @ParameterizedTest
  @EnumSource
  void aKeyIsNotKeptWithTheAnswerOfAnEarlierUseOfIt(TestDatabase database) throws SQLException {
    String url = database.freshUrl();
    RequestAnswers answers = answers(url);
    assertThat(answers.claim("till", ID, Duration.ofSeconds(1))).isEqualTo(Claim.FIRST);
    answers.keep("till", ID, "last week's", "POST", "/pay", 201);
    try (Connection connection = TestDatabase.connect(url);
        Statement delete = connection.createStatement()) {
      assertThat(delete.executeUpdate("DELETE FROM inbox_message")).isEqualTo(1);
    }
    assertThat(answers.claim("till", ID, Duration.ofSeconds(1))).isEqualTo(Claim.FIRST);

    assertThatThrownBy(() -> answers.keep("till", ID, "today's", "POST", "/pay", 201))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining(ID)
        .hasMessageContaining("rolled back");
    assertThat(answers.answer("till", ID)).contains("last week's");
  }

  private static RequestAnswers answers(String url) {
    DataSource source = DataSources.of(() -> TestDatabase.connect(url));
    RequestAnswers answers = new RequestAnswers();
    answers.database =
        new InboxDatabase(TestConfig.shop(true), source, new TransactionTrial(Optional::empty));
    answers.database.encryptWith(Optional::empty);
    answers.meters =
        new InboxMeters(Meters.NONE, "shop", Set.of(), name -> false, Set.of(), name -> false);
    answers.prepare();
    return answers;
  }
}
