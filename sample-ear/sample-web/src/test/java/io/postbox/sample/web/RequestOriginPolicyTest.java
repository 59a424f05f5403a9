package io.postbox.sample.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.sample.web.RequestOriginPolicy.Refusal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestOriginPolicyTest {
  private static final String HERE = "localhost:9080";
  private final RequestOriginPolicy policy =
      new RequestOriginPolicy(List.of("localhost", "Shop.example.org"));

  private int status(
      String method, @Nullable String host, @Nullable String origin, @Nullable String site) {
    Optional<Refusal> refusal = policy.refusal(method, host, origin, site);
    return refusal.map(Refusal::status).orElse(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "DELETE"})
  void aClientThatIsNoBrowserMayDoEverything(String method) {
    assertThat(status(method, HERE, null, null)).isEqualTo(200);
  }

  @Test
  void theOwnPageMayDoEverything() {
    assertThat(status("POST", HERE, "http://localhost:9080", "same-origin")).isEqualTo(200);
    assertThat(status("POST", HERE, "http://localhost:9080", null)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "http://evil.example, cross-site",
        "http://evil.example, -",
        "http://localhost:9080, cross-site",
        "http://localhost:9081, same-site",
        "http://localhost:9081, -",
        "http://localhost, -",
        "null, -",
        "null, cross-site",
        "-, cross-site",
        "'http://local host', -",
      })
  void thePageOfAnotherSiteMayChangeNothing(@Nullable String origin, @Nullable String site) {
    assertThat(status("POST", HERE, origin, site)).isEqualTo(403);
    assertThat(status("GET", HERE, origin, site)).isEqualTo(200);
  }

  /** A name of somebody else's that leads here makes that page one of this site. */
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:9080",
        "localhost.evil.example",
        "localhost:9080@evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost:",
        "localhost:x",
        "[evil]"
      })
  void aNameThatIsNotOursIsNotAnswered(@Nullable String host) {
    assertThat(status("GET", host, null, null)).isEqualTo(421);
    assertThat(status("POST", host, "http://" + host, "same-origin")).isEqualTo(421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:9080",
        "shop.example.org:443",
        "127.0.0.1:9080",
        "192.168.1.7",
        "[::1]:9080"
      })
  void ownNamesAndAddressesAreAnswered(String host) {
    assertThat(status("GET", host, null, null)).isEqualTo(200);
  }

  @Test
  void anAuthorityHasNoPortThatIsImplied() {
    assertThat(RequestOriginPolicy.authority("https", "localhost", 443)).isEqualTo("localhost");
    assertThat(RequestOriginPolicy.authority("https", "localhost", 9443))
        .isEqualTo("localhost:9443");
    assertThat(RequestOriginPolicy.authority("http", "localhost", 80)).isEqualTo("localhost");
    assertThat(RequestOriginPolicy.authority("http", "localhost", 443)).isEqualTo("localhost:443");
  }
}
