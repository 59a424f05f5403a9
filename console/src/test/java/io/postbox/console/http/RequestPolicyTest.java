package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPolicyTest {
  private static final String HOST = "ops.example:9443";
  private static final RequestPolicy POLICY = new RequestPolicy(Set.of("Ops.example"));

  @ParameterizedTest
  @CsvSource({
    "same-origin, , ",
    "same-origin, https://evil.example, ", // a proxy may rewrite Origin, and no page can set the
    // other
    ", https://ops.example:9443, ",
    ", https://OPS.example:9443, ",
    ", , ",
    "same-site, , other-site",
    "cross-site, https://ops.example:9443, other-site",
    "none, , other-site", // an address that somebody has typed is no POST
    ", https://evil.example, other-site",
    ", https://ops.example, other-site",
    ", null, other-site",
    ", %%, other-site",
    ", https://ops.example:9443@evil.example, other-site",
  })
  void onlyTheConsolesOwnPagesAndScriptsChangeSomething(String site, String origin, String slug) {
    assertThat(POLICY.refusal("POST", true, "1", site, origin, HOST).map(Problem::slug).orElse(""))
        .isEqualTo(slug == null ? "" : slug);
  }

  @ParameterizedTest
  @CsvSource({
    "same-origin, , ",
    "none, , ", // an address that somebody has typed, or a bookmark
    ", , ",
    ", https://ops.example:9443, ",
    "cross-site, , other-site",
    "same-site, , other-site",
    "cross-site, https://ops.example:9443, other-site",
    ", https://evil.example, other-site",
    ", null, other-site",
  })
  void theApiAnswersNoPageOfAnotherSite(String site, String origin, String slug) {
    for (String method : List.of("GET", "HEAD")) {
      assertThat(
              POLICY.refusal(method, true, null, site, origin, HOST).map(Problem::slug).orElse(""))
          .isEqualTo(slug == null ? "" : slug);
      assertThat(POLICY.refusal(method, false, null, site, origin, HOST))
          .as("a link to a page")
          .isEmpty();
    }
  }

  /** A name of somebody else's that leads here makes their page one of this site. */
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:9443",
        "ops.example.evil.example",
        "localhost.evil.example",
        "ops.example:9443@evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost:",
        "localhost:x",
        "[evil]"
      })
  void aNameThatIsNotListedIsNotAnswered(String host) {
    for (boolean api : new boolean[] {true, false}) {
      assertThat(POLICY.refusal("GET", api, null, null, null, host))
          .map(Problem::status)
          .contains(421);
      assertThat(POLICY.refusal("POST", api, "1", "same-origin", "https://" + host, host))
          .map(Problem::status)
          .contains(421);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:9080",
        "ops.example:443",
        "127.0.0.1:9080",
        "192.168.1.7",
        "[::1]:9080"
      })
  void listedNamesAndAddressesAreAnswered(String host) {
    assertThat(POLICY.refusal("GET", true, null, null, null, host)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"POST", "DELETE", "PUT", "PATCH", "TRACE", "POSTBOX", "get"})
  void everyOtherMethodNeedsTheHeader(String method) {
    assertThat(POLICY.refusal(method, true, null, "same-origin", null, HOST))
        .map(Problem::slug)
        .contains("header-missing");
    assertThat(POLICY.refusal(method, true, "yes", "same-origin", null, HOST))
        .map(Problem::slug)
        .contains("header-missing");
    assertThat(POLICY.refusal(method, true, "1", "same-origin", null, HOST)).isEmpty();
  }

  @Test
  void theAuthorityLeavesOutThePortThatASchemeHasAnyway() {
    assertThat(RequestPolicy.authority("https", "a", 443)).isEqualTo("a");
    assertThat(RequestPolicy.authority("https", "a", 80)).isEqualTo("a:80");
    assertThat(RequestPolicy.authority("http", "a", 80)).isEqualTo("a");
  }
}
