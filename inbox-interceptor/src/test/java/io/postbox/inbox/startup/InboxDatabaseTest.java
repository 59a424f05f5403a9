package io.postbox.inbox.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.check.Finding;
import io.postbox.common.server.TransactionTrial;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.testing.DataSources;
import io.postbox.common.testing.TimeLimits;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptStore;
import io.postbox.inbox.store.TestDatabase;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InboxDatabaseTest {
  private final InboxConfig config = TestConfig.shop(true);

  /** As dataSource transactional="false" makes one: it looks well until something rolls back. */
  @ParameterizedTest
  @EnumSource
  void aDataSourceThatTakesNoPartInTransactionsIsRefused(TestDatabase database)
      throws SQLException {
    String url = database.freshUrl();
    InboxDatabase installation =
        new InboxDatabase(
            config, dataSource(url), new TransactionTrial(() -> Optional.of(meaningless())));

    assertThatThrownBy(installation::prepare)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("takes no part in the server's transactions")
        .hasMessageContaining("Let the data source take part in transactions,");

    assertThat(installation.stores()).isEmpty();
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM postbox_schema")) {
      rows.next();
      assertThat(rows.getInt(1)).as("the row is removed").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereNoTransactionCanBeBegunNothingIsSaid(TestDatabase database) throws SQLException {
    InboxDatabase installation =
        new InboxDatabase(
            config, dataSource(database.freshUrl()), new TransactionTrial(Optional::empty));

    assertThatCode(installation::prepare).doesNotThrowAnyException();
    assertThat(installation.stores()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void withACipherFingerprintsHaveItsKeyAndWithoutTheKeyNothingWorks(TestDatabase database)
      throws SQLException {
    Fingerprint plain = new Fingerprint(2, "ab".repeat(32));
    InboxDatabase installation =
        new InboxDatabase(
            config, dataSource(database.freshUrl()), new TransactionTrial(Optional::empty));
    installation.prepare();
    assertThat(installation.stores()).isPresent();
    AtomicBoolean knowsKey = new AtomicBoolean();
    PayloadCipher cipher = new Plain(knowsKey);
    try (LogLines log = new LogLines()) {
      installation.encryptWith(() -> Optional.of(cipher));
      installation.prepare();
      installation.prepare();
      assertThat(installation.stores()).isEmpty();
      assertThatThrownBy(() -> installation.keyed(plain))
          .isInstanceOf(InboxException.class)
          .hasMessageContaining("is redelivered");
      assertThat(log.all()).singleElement().asString().startsWith("IBX0162");
    }
    knowsKey.set(true);
    installation.prepare();

    assertThat(installation.stores()).isPresent();
    Fingerprint keyed = installation.keyed(plain);
    assertThat(keyed.version()).isEqualTo(3);
    assertThat(keyed.sha256()).hasSize(64).isNotEqualTo(plain.sha256());
    assertThat(installation.keyed(plain)).isEqualTo(keyed);
    assertThat(keyed.contradicts(new Fingerprint(3, keyed.sha256()))).isFalse();
    assertThat(keyed.contradicts(new Fingerprint(3, plain.sha256()))).isTrue();
    assertThat(keyed.contradicts(plain)).as("a row from before the cipher").isFalse();
    assertThat(keyed.contradicts(new Fingerprint(2, "ac".repeat(32)))).isTrue();
    assertThat(keyed.toString()).doesNotContain(plain.sha256());
  }

  /** It returns whatever it is given, whichever row that is from. */
  @ParameterizedTest
  @EnumSource
  void aCipherThatIgnoresAssociatedDataIsRefusedWhereEncryptionIsRequired(TestDatabase database)
      throws SQLException {
    String url = database.freshUrl();
    PayloadCipher cipher = new Plain(new AtomicBoolean(true));
    TransactionTrial untried = new TransactionTrial(Optional::empty);
    InboxDatabase optional = new InboxDatabase(config, dataSource(url), untried);
    optional.encryptWith(() -> Optional.of(cipher));
    optional.prepare();
    assertThat(optional.stores()).isPresent();
    assertThat(optional.cipherRefusal()).isEmpty();
    assertThat(optional.cipherFindings())
        .extracting(Finding::name)
        .containsExactly("cipher-associated-data");

    InboxDatabase required = new InboxDatabase(TestConfig.encrypted(), dataSource(url), untried);
    required.encryptWith(() -> Optional.of(cipher));
    try (LogLines log = new LogLines()) {
      required.prepare();
      required.prepare();

      assertThat(required.stores()).as("nothing is handled").isEmpty();
      assertThat(required.cipherRefusal().orElseThrow()).contains("postbox.encryption=required");
      assertThat(required.problemInHealth()).contains("IBX0165");
      assertThat(log.all())
          .filteredOn(line -> line.startsWith("IBX0165"))
          .singleElement()
          .asString()
          .contains("swap payloads");
    }
  }

  /** A process that was killed leaves the rows and takes its knowledge of them along. */
  @ParameterizedTest
  @EnumSource
  void aRestartedNodeKnowsItsFullLimitsBeforeItsFirstDelivery(TestDatabase database)
      throws SQLException {
    String url = database.freshUrl();
    InboxConfig two = TestConfig.shop(Map.of("create-tables", "true", "quota.messages", "2"));
    TransactionTrial untried = new TransactionTrial(Optional::empty);
    InboxDatabase killed = new InboxDatabase(two, dataSource(url), untried);
    killed.prepare();
    assertThat(killed.limits().isFull("shipping", Kind.KEPT)).isFalse();
    try (Connection connection = TestDatabase.connect(url)) {
      KeptStore kept =
          new KeptStore(Dialect.of(connection, "inbox"), two.tables(), KeptContents.CLEAR);
      for (String id : List.of("id-1", "id-2")) {
        Delivery delivery = TestDelivery.of(id).delivery();
        kept.park(
            connection, new Parked(delivery, id, ParkReason.REJECTED, "why", "5ef0", 1), false);
      }
    }

    InboxDatabase restarted = new InboxDatabase(two, dataSource(url), untried);
    restarted.prepare();

    assertThat(restarted.limits().isFull("shipping", Kind.KEPT)).isTrue();
  }

  /** Deliveries and health checks wait for it; it reads all stored messages. */
  @ParameterizedTest
  @EnumSource
  void theCountBeforeTheFirstDeliveryHasALimitOfTime(TestDatabase database) throws SQLException {
    TimeLimits limits = new TimeLimits(dataSource(database.freshUrl()));
    InboxDatabase installation =
        new InboxDatabase(config, limits.dataSource(), new TransactionTrial(Optional::empty));

    installation.prepare();

    assertThat(installation.stores()).isPresent();
    assertThat(limits.taken()).filteredOn(seconds -> seconds > 0).singleElement().isEqualTo(60);
  }

  private record Plain(AtomicBoolean knowsKey) implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) {
      if (!knowsKey.get()) {
        throw new IllegalStateException("no key");
      }
      return new Encrypted(plain, "key-1");
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
      return encrypted.value();
    }
  }

  @Test
  void healthSaysInFixedWordsWhatIsWrong() throws SQLException {
    String url = TestDatabase.H2.freshUrl();
    AtomicReference<String> state = new AtomicReference<>("");
    DataSource fails =
        DataSources.of(
            () -> {
              if (!state.get().isEmpty()) {
                throw new SQLException("secret", state.get());
              }
              return TestDatabase.connect(url);
            });
    InboxDatabase installation =
        new InboxDatabase(config, fails, new TransactionTrial(Optional::empty));

    assertThat(installation.findProblem()).contains("the tables have not been checked yet");
    installation.prepare();
    assertThat(installation.findProblem()).isEmpty();
    try (LogLines log = new LogLines()) {
      state.set("08006");
      assertThat(installation.findProblem())
          .contains(
              "the database is unavailable, so no message can be handled; the log says why"
                  + " (IBX0163)");
      state.set("25006");
      assertThat(installation.findProblem())
          .contains(
              "the database is read-only, so no message can be handled; the log says more"
                  + " (IBX0163)");
      state.set("");
      assertThat(installation.findProblem()).isEmpty();
      assertThat(log.all())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("IBX0163", "IBX0164");
    }
  }

  private static DataSource dataSource(String url) {
    return DataSources.of(() -> TestDatabase.connect(url));
  }

  private static UserTransaction meaningless() {
    return (UserTransaction)
        Proxy.newProxyInstance(
            InboxDatabaseTest.class.getClassLoader(),
            new Class<?>[] {UserTransaction.class},
            (proxy, method, arguments) -> null);
  }
}
