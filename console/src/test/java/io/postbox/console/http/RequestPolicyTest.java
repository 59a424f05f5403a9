package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPolicyTest {
  private static final String HOST = "ops.example:9443";

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
    assertThat(RequestPolicy.refusal("POST", "1", site, origin, HOST).map(Problem::slug).orElse(""))
        .isEqualTo(slug == null ? "" : slug);
  }

  @ParameterizedTest
  @CsvSource({"GET", "HEAD", "OPTIONS"})
  void readsMayComeFromAnywhere(String method) {
    assertThat(RequestPolicy.refusal(method, null, "cross-site", "https://evil.example", HOST))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"POST", "DELETE", "PUT", "PATCH", "TRACE", "POSTBOX", "get"})
  void everyOtherMethodNeedsTheHeader(String method) {
    assertThat(RequestPolicy.refusal(method, null, "same-origin", null, HOST))
        .map(Problem::slug)
        .contains("header-missing");
    assertThat(RequestPolicy.refusal(method, "yes", "same-origin", null, HOST))
        .map(Problem::slug)
        .contains("header-missing");
    assertThat(RequestPolicy.refusal(method, "1", "same-origin", null, HOST)).isEmpty();
  }

  @Test
  void anOriginWithoutAHostToCompareItWithIsAnotherSite() {
    assertThat(RequestPolicy.refusal("POST", "1", null, "https://ops.example", null)).isPresent();
  }

  @Test
  void theAuthorityLeavesOutThePortThatASchemeHasAnyway() {
    assertThat(RequestPolicy.authority("https", "a", 443)).isEqualTo("a");
    assertThat(RequestPolicy.authority("https", "a", 80)).isEqualTo("a:80");
    assertThat(RequestPolicy.authority("http", "a", 80)).isEqualTo("a");
  }
}
