package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
  private static final StackTraceElement[] STACK = {
    new StackTraceElement("java.util.Objects", "requireNonNull", "Objects.java", 233),
    new StackTraceElement("org.postgresql.jdbc.PgStatement", "execute", "PgStatement.java", 1),
    new StackTraceElement("com.shop.Stock", "take", "Stock.java", 42),
    new StackTraceElement("com.shop.ShippingMdb", "onMessage", "ShippingMdb.java", 7)
  };

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no stock of 7 for order 4711 | no stock of ? for order ?",
        "Message 0190b3a4-7c1e-7abc-8def-0123456789ab is late | Message ? is late",
        "key (id)=(BOOK-1) is there | key (id)=(?) is there",
        "took 1,000.50 s at 0x7fff | took ? s at ?",
        "column 'ordr' is not there | column ? is not there",
        "at 2026-11-22T23:59:01.5Z and +01:00 | at ? and +?",
        "no stock | no stock",
        "said 2026-11-23 19:17:56.123456+00 | said ?",
        "read at Mon Nov 23 19:17:56 UTC 2026 by me | read at ? by me",
        "expired Sun, 06 Nov 1994 08:49:37 GMT | expired ?",
        "made on 3-May-2026 | made on ?",
        "Maybe in May | Maybe in May",
        "no `order` of “Ada” «here» ‘there’ | no ? of ?",
        "digest deadbeefcafebabe of | digest ? of",
        "digest DEADBEEFCAFEBABEAFFE of | digest ? of",
        "a facade is bad | a facade is bad",
        "0xCAFE and 1e-7, -5 %, 12:30 | ? and ? %, ?",
        "AMQ229032: user=null | ?: user=null",
      })
  void aMessageIsWithoutWhatVaries(String message, String expected) {
    assertThat(Signature.normalised(message)).isEqualTo(expected);
  }

  @Test
  void itIsTheSameForOtherIdsNumbersLinesAndWrappers() {
    String one = Signature.of(failure("no stock of 7 for order 4711", STACK));
    StackTraceElement[] other = STACK.clone();
    other[2] = new StackTraceElement("com.shop.Stock$$Lambda$14/0x0f", "take", "Stock.java", 77);

    assertThat(Signature.of(failure("no stock of 12 for order 8", other))).isEqualTo(one);
    assertThat(
            Signature.of(new RuntimeException("x 1", failure("no stock of 7 for order 1", STACK))))
        .isEqualTo(one);
  }

  @Test
  void itIsTheSameForATextWithOtherIdsAndAnotherForAnotherText() {
    String one = Signature.of("jakarta.jms.JMSException: no room for message 7 in 'orders'");

    assertThat(Signature.of("jakarta.jms.JMSException: no room for message 12 in 'stock'"))
        .isEqualTo(one);
    assertThat(Signature.of("jakarta.jms.JMSException: no right to send message 7"))
        .isNotEqualTo(one);
  }

  @Test
  void itIsAnotherForAnotherCause() {
    String one = Signature.of(failure("no stock of 7", STACK));
    StackTraceElement[] elsewhere = {STACK[3]};

    assertThat(Signature.of(failure("no room for 7", STACK))).isNotEqualTo(one);
    assertThat(Signature.of(failure("no stock of 7", elsewhere))).isNotEqualTo(one);
    Exception otherClass = new SQLException("no stock of 7");
    otherClass.setStackTrace(STACK);
    assertThat(Signature.of(otherClass)).isNotEqualTo(one);
  }

  /** A change separates the stored signatures from the new ones, in both modules. */
  @Test
  void itStaysTheSameFromVersionToVersion() {
    assertThat(Signature.of(failure("no stock of 7 for order 4711", STACK)))
        .hasSize(Signature.LENGTH)
        .isEqualTo("8719e608a8ea4677a156d3cc28a818b7");
    assertThat(Signature.of(failure(null, new StackTraceElement[0])))
        .isEqualTo("5a0b75d0a6a0a7848e42a55ac807063e");
    assertThat(Signature.of("rolled back at commit"))
        .hasSize(Signature.LENGTH)
        .isEqualTo("010b20fca3e9bcbea597752fef74561f");
  }

  @Test
  void causesThatGoInACircleHaveOneToo() {
    Exception one = failure("one", STACK);
    Exception two = new IllegalStateException("two", one);
    one.initCause(two);

    assertThat(Signature.of(one)).hasSize(Signature.LENGTH);
  }

  /** For ids of any length in front. */
  @Test
  void longIdsLeaveTheRestOfTheMessageInPlace() {
    String rest = " is not there".repeat(30);
    String one = Signature.of("row 1" + rest);

    assertThat(Signature.of("row " + "1".repeat(700) + rest)).isEqualTo(one);
    assertThat(Signature.of("row '" + "x".repeat(2_000) + "'" + rest.replace("not", "now")))
        .isNotEqualTo(one);
  }

  /** In time that grows with the length alone: regular expressions may need its square. */
  @ParameterizedTest
  @ValueSource(
      strings = {"x", "?", "1", "'", "\"", "-", "a1 ", "? ,", "\0", "\uD800", "\u202E", "Mon "})
  void hostileMessagesHaveOne(String piece) {
    String huge = piece.repeat(1_000_000);
    String signature =
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> Signature.of(failure(huge, STACK)));

    assertThat(signature).matches("[0-9a-f]{32}");
    assertThat(Signature.of(failure(huge, STACK))).isEqualTo(signature);
  }

  @Test
  void controlCharactersAndBlanksAreOneBlank() {
    assertThat(Signature.of("no\r\n\tstock\u0000 of\u001b[31m"))
        .isEqualTo(Signature.of(" no stock of [31m "));
  }

  @Test
  void anExceptionWithoutMessageOrStackHasOne() {
    assertThat(Signature.of(failure(null, new StackTraceElement[0])))
        .isEqualTo(Signature.of(failure("", new StackTraceElement[0])))
        .isNotEqualTo(Signature.of(new SQLException()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.util.Objects",
        "jdk.internal.reflect.DirectMethodHandleAccessor",
        "sun.reflect.X",
        "jakarta.transaction.X",
        "com.ibm.ws.X",
        "io.openliberty.X",
        "org.postgresql.jdbc.PgStatement",
        "org.h2.X",
        "org.apache.activemq.artemis.X",
        "org.eclipse.persistence.X",
        "io.postbox.inbox.receiver.X",
        "io.postbox.outbox.relay.X",
        "io.postbox.common.store.X"
      })
  void theFrameIsTheApplications(String foreign) {
    StackTraceElement[] stack = {
      new StackTraceElement(foreign, "run", "X.java", 1), STACK[2], STACK[3]
    };

    assertThat(Signature.frame(failure("x", stack))).contains(STACK[2]);
    assertThat(Signature.frame(failure("x", new StackTraceElement[] {stack[0]}))).isEmpty();
  }

  @Test
  void aWrappersFrameCountsWhereTheCauseHasNone() {
    StackTraceElement[] driver = {STACK[1]};
    Exception wrapped = failure("outer", STACK);
    wrapped.initCause(failure("inner", driver));

    assertThat(Signature.frame(wrapped)).contains(STACK[2]);
  }

  private static Exception failure(@Nullable String message, StackTraceElement[] stack) {
    Exception failure = new IllegalStateException(message);
    failure.setStackTrace(stack);
    return failure;
  }
}
