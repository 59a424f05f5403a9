package io.postbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxRequest.Header;
import io.postbox.inbox.InboxRequest.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class InboxRequestTest {
  private static final InboxRequest REQUEST = InboxRequest.of("payments", "id-1");

  @Test
  void headersKeepTheirOrderAndTheLastOfANameCounts() {
    InboxRequest request =
        REQUEST.header("tenant", "north").header("retry", "1").header("Tenant", "south");

    assertThat(request.headers())
        .extracting(Header::name)
        .containsExactly("tenant", "retry", "Tenant");
    assertThat(request.lastHeader("tenant")).contains("south");
    assertThat(request.lastHeader("none")).isEmpty();
    assertThat(REQUEST.headers()).as("a request never changes").isEmpty();
  }

  @Test
  void octetsThatPeopleCanReadAreText() {
    byte[] number = {0, 0, 0, 7};
    byte[] latin1 = "gr\u00fc\u00df".getBytes(StandardCharsets.ISO_8859_1);
    InboxRequest request =
        REQUEST
            .header("type", "gr\u00fc\u00df".getBytes(StandardCharsets.UTF_8))
            .header("number", number)
            .header("latin1", latin1)
            .header("empty", new byte[0])
            .header("nothing", (byte[]) null);

    assertThat(request.lastHeader("type")).contains("gr\u00fc\u00df");
    assertThat(request.headers().get(1).text()).isEmpty();
    assertThat(request.headers().get(1).bytes()).contains(number);
    assertThat(request.headers().get(2).bytes()).contains(latin1);
    assertThat(request.lastHeader("empty")).contains("");
    assertThat(request.headers().get(4))
        .isEqualTo(new Header("nothing", Optional.empty(), Optional.empty()));
  }

  @Test
  void octetsAreCopied() {
    byte[] given = {0, 1};
    InboxRequest request = REQUEST.header("n", given);
    given[1] = 2;
    request.headers().get(0).bytes().orElseThrow()[1] = 3;

    assertThat(request.headers().get(0).bytes()).contains(new byte[] {0, 1});
  }

  @Test
  void headersBeyondTheBoundsAreLeftOutAndCounted() {
    InboxRequest request = REQUEST;
    for (String name : new String[] {"", "n".repeat(201), "a\nb"}) {
      request = request.header(name, "x");
    }
    request = request.header("text", "x".repeat(4_001)).header("octets", new byte[4_001]);
    assertThat(request.headers()).isEmpty();
    assertThat(request.headersLeftOut()).isEqualTo(5);

    for (int i = 0; i < 150; i++) {
      request = request.header("h" + i, "x");
    }
    assertThat(request.headers()).hasSize(100);
    assertThat(request.headersLeftOut()).isEqualTo(55);
  }

  @Test
  void headersTogetherHaveABoundToo() {
    InboxRequest request = REQUEST;
    for (int i = 0; i < 10; i++) {
      request = request.header("name", new byte[4_000]);
    }
    assertThat(request.headers()).hasSize(7);
    assertThat(request.headersLeftOut()).isEqualTo(3);
    assertThat(request.header("name", "x").headers()).as("a shorter one fits").hasSize(8);
  }

  @Test
  void itSaysWhereItComesFrom() {
    assertThat(REQUEST.origin()).isEmpty();
    assertThat(REQUEST.from("payments", 3, 42).origin())
        .contains(new Origin("payments", OptionalInt.of(3), OptionalLong.of(42)));
    assertThat(REQUEST.from("payments", 3, 42).from("PAYMENTS").origin())
        .contains(new Origin("PAYMENTS", OptionalInt.empty(), OptionalLong.empty()));
    assertThat(REQUEST.from("payments", 3, 42).id()).as("no offset is an id").contains("id-1");
  }

  @Test
  void aRecordWithoutAKeyHasNoOrderingKey() {
    assertThat(REQUEST.orderedBy("7").orderingKey()).contains("7");
    assertThat(REQUEST.orderedBy("7").orderedBy(null).orderingKey()).isEmpty();
  }

  @Test
  void itHasAPriorityWithinTheBoundsOfJms() {
    assertThat(REQUEST.priority()).isEqualTo(4);
    assertThat(REQUEST.priority(9).priority()).isEqualTo(9);
    assertThat(REQUEST.priority(0).text("x").priority()).isZero();
    for (int outside : new int[] {-1, 10}) {
      assertThatThrownBy(() -> REQUEST.priority(outside))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a message's priority is from 0 to 9, and not " + outside);
    }
  }

  @Test
  void aMessageThatWaitsForATimeHasNoOrderingKey() {
    Instant tomorrow = Instant.parse("2030-01-01T00:00:00Z");
    assertThat(REQUEST.notBefore()).isEmpty();
    assertThat(REQUEST.notBefore(tomorrow).text("x").notBefore()).contains(tomorrow);
    assertThat(REQUEST.notBefore(tomorrow).orderedBy(null).notBefore()).contains(tomorrow);
    assertThatThrownBy(() -> REQUEST.notBefore(tomorrow).orderedBy("7"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the ordering key '7' cannot have a notBefore too");
    assertThatThrownBy(() -> REQUEST.orderedBy("7").notBefore(tomorrow))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave one of them out");
    assertThatThrownBy(() -> REQUEST.notBefore(Instant.MAX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 9999-12-31T00:00:00Z, and not +1000000000");
  }

  @Test
  void aHeaderNeedsAName() {
    assertThatThrownBy(() -> REQUEST.header(null, "x")).isInstanceOf(NullPointerException.class);
  }
}
