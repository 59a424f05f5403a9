package io.postbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import javax.transaction.xa.XAException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoverableXAConnectionTest {

  @ParameterizedTest
  @ValueSource(strings = {"57P01", "57P02", "57P03"})
  void aDatabaseThatCutsSessionsOffIsGoneAndHasDecidedNothing(String state) {
    XAException failed = failure(XAException.XAER_RMERR, state);

    XAException told = RecoverableXAConnection.translate(failed);

    assertThat(told.errorCode).isEqualTo(XAException.XAER_RMFAIL);
    assertThat(told).hasCause(failed);
  }

  @Test
  void aRefusalOfTheDatabaseStaysOne() {
    XAException refused = failure(XAException.XAER_RMERR, "42501");
    XAException unknown = failure(XAException.XAER_NOTA, "57P01");

    assertThat(RecoverableXAConnection.translate(refused)).isSameAs(refused);
    assertThat(RecoverableXAConnection.translate(unknown)).isSameAs(unknown);
  }

  private static XAException failure(int code, String state) {
    XAException failed = new XAException(code);
    failed.initCause(new SQLException("terminating connection", state));
    return failed;
  }
}
