package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static Exception failure(String message, StackTraceElement[] stack) {
    Exception failure = new IllegalStateException(message);
    failure.setStackTrace(stack);
    return failure;
  }
}
