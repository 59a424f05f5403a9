package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Keying;
import io.postbox.inbox.store.KeptContentsTest.Turning;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class InboxSecretStoreTest {
  private static final TableNames TABLES = new TableNames("", "pb_");

  @Parameter TestDatabase database;

  @Test
  void allNodesThatStartAtTheSameTimeHaveOneKey() throws Exception {
    String url = database.freshUrl();
    ExecutorService nodes = Executors.newFixedThreadPool(8);
    Callable<String> node = () -> key(url);
    Set<String> keys = new HashSet<>();
    for (Future<String> key : nodes.invokeAll(Stream.generate(() -> node).limit(8).toList())) {
      keys.add(key.get());
    }
    nodes.shutdown();

    assertThat(keys).singleElement().asString().hasSize(2 * 32);
    assertThat(key(url)).as("after a restart").isEqualTo(keys.iterator().next());
  }

  @Test
  void eachServiceHasItsOwn() throws SQLException {
    assertThat(key(database.freshUrl())).isNotEqualTo(key(database.freshUrl()));
  }

  @Test
  void theKeyOfFingerprintsIsOneAndNotInTheTableInTheClear() throws SQLException {
    String url = database.freshUrl();
    byte[] key = fingerprintKey(url, new Turning("key-1"));

    assertThat(key).hasSize(Keying.KEY_LENGTH);
    assertThat(fingerprintKey(url, new Turning("key-1"))).isEqualTo(key);
    assertThat(HexFormat.of().formatHex(stored(url)))
        .contains(HexFormat.of().formatHex("key-1".getBytes(StandardCharsets.UTF_8)))
        .doesNotContain(HexFormat.of().formatHex(key));
    assertThatThrownBy(() -> fingerprintKey(url, new Turning("key-2")))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("inbox_secret")
        .hasMessageNotContaining("no such key");
    assertThat(fingerprintKey(url, new Turning("key-1"))).isEqualTo(key);
  }

  @Test
  void afterARotationTheKeyOfFingerprintsIsEncryptedWithTheNewOne() throws SQLException {
    String url = database.freshUrl();
    byte[] key = fingerprintKey(url, new Turning("key-1"));

    assertThat(fingerprintKey(url, new Rotated())).isEqualTo(key);
    assertThat(fingerprintKey(url, new Turning("key-2"))).as("without key-1").isEqualTo(key);
  }

  /** Knows both, and encrypts with the new one. */
  private static final class Rotated implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) {
      return new Turning("key-2").encrypt(plain, associated);
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
      return new Turning(encrypted.keyId()).decrypt(encrypted, associated);
    }
  }

  private static byte[] fingerprintKey(String url, PayloadCipher cipher) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
      connection.setAutoCommit(true);
      return new InboxSecretStore(dialect, TABLES).readOrMakeFingerprintKey(connection, cipher);
    }
  }

  private static byte[] stored(String url) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT secret FROM pb_inbox_secret WHERE id = 2")) {
      row.next();
      return row.getBytes(1);
    }
  }

  /** As a node does it at its start. */
  private static String key(String url) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
      connection.setAutoCommit(true);
      return HexFormat.of().formatHex(new InboxSecretStore(dialect, TABLES).readOrMake(connection));
    }
  }
}
