package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void boundsAreIncluded() {
    Settings settings = settings(Map.of("p.least", "2", "p.most", "5", "p.over", "6"));

    assertThat(settings.number("least", 3, 2, 5)).isEqualTo(2);
    assertThat(settings.number("most", 3, 2, 5)).isEqualTo(5);
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.number("over", 3, 2, 5)).isEqualTo(3);
    assertThat(settings.problems())
        .containsExactly("p.over=6: expected a whole number from 2 to 5");

    Settings times = settings(Map.of("p.least", "2s", "p.most", "5m", "p.over", "6m"));
    Duration least = Duration.ofSeconds(2);
    Duration most = Duration.ofMinutes(5);
    assertThat(times.duration("least", Duration.ofSeconds(3), least, most)).isEqualTo(least);
    assertThat(times.duration("most", Duration.ofSeconds(3), least, most)).isEqualTo(most);
    assertThat(times.problems()).isEmpty();
    assertThat(times.duration("over", Duration.ofSeconds(3), least, most)).hasSeconds(3);
    assertThat(times.problems())
        .singleElement()
        .asString()
        .startsWith("p.over=6m: expected a duration from 2s to 5m");
  }

  @Test
  void wordsStandBetweenCommas() {
    Settings settings = settings(Map.of("p.to", " a , b", "p.wrong", "a,"));

    assertThat(settings.words("to", words -> !words.contains(""), "names"))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(settings.words("none", words -> true, "names")).isEmpty();
    assertThat(settings.words("wrong", words -> !words.contains(""), "names")).isEmpty();
    assertThat(settings.problems()).containsExactly("p.wrong=a,: expected names");
  }

  @Test
  void aKeyThatNobodyAskedForIsReportedWithTheNearestOne() {
    Settings settings =
        settings(Map.of("p.max-atempts", "5", "p.zzzzzzzzzzzz", "x", "q.other", "1"));
    settings.number("max-attempts", 3, 1, 9);
    settings.text("retention", "");

    assertThat(settings.unknown())
        .containsExactly(
            "p.max-atempts: there is no such key (did you mean p.max-attempts?)",
            "p.zzzzzzzzzzzz: there is no such key");
  }

  @Test
  void aSuggestionMayBeHalfOfAnotherNameButNotMore() {
    Settings settings = settings(Map.of("p.abxx", "1", "p.axxx", "1"));
    settings.text("abcd", "");

    assertThat(settings.unknown())
        .containsExactly(
            "p.abxx: there is no such key (did you mean p.abcd?)", "p.axxx: there is no such key");
  }

  @Test
  void namesOfAGroupAreThoseThatHaveAKeyAndThoseThatAreThere() {
    Settings settings =
        settings(
            Map.of(
                "p.consumer.a.order", "x", "p.consumer.b.retention", "x", "p.other.c.order", "x"));

    assertThat(settings.namesIn("consumer", List.of("order", "retention"), Set.of("there")))
        .containsExactly("a", "b", "there");
  }

  @Test
  void anEnvironmentVariableMakesNoNameOfOneThatIsThere() {
    // A server may list P_CONSUMER_MY_MAIL_ORDER once more, with dots.
    Settings settings =
        settings(Map.of("p.consumer.my.mail.order", "x", "P_CONSUMER_MY_MAIL_ORDER", "x"));
    assertThat(settings.isFromEnvironment("consumer.my.mail.order")).isTrue();
    assertThat(settings.isFromEnvironment("consumer.your.mail.order")).isFalse();

    assertThat(settings.namesIn("consumer", List.of("order"), Set.of("my-mail")))
        .containsExactly("my-mail");
    settings.text("consumer.my-mail.order", "");
    assertThat(settings.unknown()).isEmpty();

    Settings real = settings(Map.of("p.consumer.my.mail.order", "x"));
    assertThat(real.namesIn("consumer", List.of("order"), Set.of("my-mail")))
        .as("it is not in the environment")
        .containsExactly("my-mail", "my.mail");
  }

  @Test
  void anEnvironmentVariableThatMeansNothingIsUnknown() {
    Settings settings = settings(Map.of("p.no.such.key", "x", "P_NO_SUCH_KEY", "x"));
    settings.text("another-key", "");

    assertThat(settings.unknown()).hasSize(1);
  }

  @Test
  void valuesAreFoundByNameAndInTheEnvironment() {
    Settings settings =
        settings(
            Map.of(
                "p.destination.a.jndi-name", " jms/a ",
                "p.destination.b.jndi-name", " ",
                "p.destination.a.other", "x",
                "P_DESTINATION_SHOP_1_JNDI_NAME", " jms/1 ",
                "P_DESTINATION_EMPTY_JNDI_NAME", " "));

    assertThat(settings.named("destination", "jndi-name"))
        .containsOnly(Map.entry("a", "jms/a"), Map.entry("b", ""));
    assertThat(settings.problems())
        .containsExactly("p.destination.b.jndi-name=: expected some text");
    assertThat(settings.namedInEnvironment("destination", "jndi-name"))
        .containsEntry("SHOP_1", "jms/1")
        .doesNotContainKey("EMPTY");
    assertThat(settings.unknown())
        .containsExactly(
            "p.destination.a.other: there is no such key (did you mean p.destination.a.jndi-name?)");
  }

  @Test
  void anEnvironmentVariableThatAServerListsWithDotsIsKnownOnceItWasRead() {
    Settings settings =
        settings(
            Map.of("p.destination.a.jndi.name", "jms/a", "P_DESTINATION_A_JNDI_NAME", "jms/a"));

    assertThat(settings.namedInEnvironment("destination", "jndi-name"))
        .containsOnly(Map.entry("A", "jms/a"));
    assertThat(settings.unknown()).isEmpty();
  }

  @Test
  void aBeginningThatIsANearMissIsReportedAndThoseOfOthersAreNot() {
    Set<String> ours = Set.of("postbox.inbox", "postbox.service");
    Set<String> others = Set.of("postbox.outbox");

    assertThat(
            Settings.mistypedBeginnings(
                Set.of(
                    "postbx.inbox.retention",
                    "postbox.inbx.retention",
                    "postbox.inbox.retention",
                    "postbox.outbox.retention",
                    "postbox.outbx.retention",
                    "postbox.shop",
                    "mailbox.inbox.retention",
                    "nodots"),
                ours,
                others))
        .containsExactly(
            "postbox.inbx.retention: there is no such key (did you mean"
                + " postbox.inbox.retention?)",
            "postbx.inbox.retention: there is no such key (did you mean"
                + " postbox.inbox.retention?)");
  }

  @Test
  void allThatIsWrongIsInOneMessage() {
    assertThatCode(() -> Settings.check(List.of())).doesNotThrowAnyException();
    assertThatThrownBy(() -> Settings.check(List.of("one", "other")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("one; other");
  }

  @Test
  void onlyClassesAreReportedByDefaultWhereThereIsACipher() {
    assertThat(Confidentiality.DEFAULT.errorDetail(true)).isEqualTo(ErrorDetail.CLASS);
    assertThat(Confidentiality.DEFAULT.errorDetail(false)).isEqualTo(ErrorDetail.MESSAGE);
    assertThat(
            new Confidentiality(false, Optional.of(ErrorDetail.MESSAGE), Optional.empty())
                .errorDetail(true))
        .isEqualTo(ErrorDetail.MESSAGE);
  }

  @Test
  void aWrongSecretIsReportedWithoutItsValue() {
    Settings settings = settings(Map.of("p.short", "hunter2", "p.long", "x".repeat(32)));

    assertThat(settings.secret("long", 32)).contains("x".repeat(32));
    assertThat(settings.secret("none", 32)).isEmpty();
    assertThat(settings.secret("short", 32)).isEmpty();
    assertThat(settings.problems())
        .containsExactly("p.short: expected at least 32 random characters");
  }

  private static Settings settings(Map<String, String> values) {
    Set<String> listed = new HashSet<>(values.keySet());
    return new Settings("p.", listed, key -> Optional.ofNullable(values.get(key)));
  }
}
