package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignatureTest {
  /** The same as in the inbox's test. */
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
  void anErrorIsWithoutWhatVaries(String error, String expected) {
    assertThat(Signature.normalised(error)).isEqualTo(expected);
  }

  @Test
  void itIsTheSameForOtherIdsAndAnotherForAnotherCause() {
    String one = Signature.of("jakarta.jms.JMSException: no room for message 7 in 'orders'");

    assertThat(Signature.of("jakarta.jms.JMSException: no room for message 12 in 'stock'"))
        .isEqualTo(one);
    assertThat(Signature.of("jakarta.jms.JMSException: no right to send message 7"))
        .isNotEqualTo(one);
  }

  /** Whoever changes these separates what is stored from what comes, here and in the inbox. */
  @Test
  void itStaysTheSameFromVersionToVersion() {
    assertThat(Signature.of("rolled back at commit"))
        .hasSize(Signature.LENGTH)
        .isEqualTo("010b20fca3e9bcbea597752fef74561f");
  }
}
