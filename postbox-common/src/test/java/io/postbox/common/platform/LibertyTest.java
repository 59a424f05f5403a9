package io.postbox.common.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LibertyTest {
  private static final String APPLICATION =
      "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=shop";
  private static final String POOL =
      "WebSphere:type=com.ibm.ws.jca.cm.mbean.ConnectionManagerMBean,jndiName=jdbc/shop,name=x";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final Liberty liberty = new Liberty();
  private String state = "STARTING";

  /** As Open Liberty's. */
  public interface State {
    String getState();
  }

  /** As Open Liberty's. */
  public interface Pool {
    String showPoolContents();
  }

  /** As Open Liberty's data source. */
  public static final class TwoPhases {
    public boolean isXADataSource() {
      return true;
    }
  }

  @AfterEach
  void unregister() throws Exception {
    for (String name : new String[] {APPLICATION, POOL}) {
      if (server.isRegistered(new ObjectName(name))) {
        server.unregisterMBean(new ObjectName(name));
      }
    }
  }

  @Test
  void anApplicationHasStartedWhenTheServerSaysSo() throws Exception {
    server.registerMBean(
        new StandardMBean((State) () -> state, State.class), new ObjectName(APPLICATION));

    assertThat(liberty.hasStarted("shop")).isFalse();
    state = "STARTED";
    assertThat(liberty.hasStarted("shop")).isTrue();
    assertThat(liberty.hasStarted("another")).as("nobody says anything of it").isTrue();
  }

  @Test
  void itsFactsAreThoseOfItsObjects() throws Exception {
    server.registerMBean(
        new StandardMBean((Pool) () -> "jndiName=jdbc/shop\nmaxPoolSize=17\n", Pool.class),
        new ObjectName(POOL));

    ServerFacts facts =
        liberty.facts(
            "jdbc/shop",
            "jms/cf",
            TransactionKind.OF_CONTAINER,
            name -> name.equals("jdbc/shop") ? Optional.of(new TwoPhases()) : Optional.empty());

    assertThat(facts)
        .isEqualTo(
            new ServerFacts(
                Optional.of(true),
                Optional.of(17),
                Optional.empty(),
                Optional.empty(),
                Optional.<Duration>empty(),
                Optional.empty(),
                Set.of()));
  }

  /** As a server of another version has it. */
  @Test
  void withoutTheObjectsNothingIsKnown() {
    assertThat(
            liberty.facts(
                "jdbc/none", "jms/none", TransactionKind.OF_APPLICATION, name -> Optional.empty()))
        .isEqualTo(ServerFacts.UNKNOWN);
    assertThat(liberty.endpoints("shop", Set.of("Bean"), bean -> false).running()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everySettingIsMadeInWordsOfItsOwn(ServerSetting setting) {
    assertThat(liberty.toDo(setting)).isNotEqualTo(new OtherServer().toDo(setting));
    assertThat(setting.toDo())
        .as("of an unknown server")
        .isEqualTo(new OtherServer().toDo(setting));
    assertThat(setting.sentence()).matches("[A-Z<].*\\.");
  }

  @ParameterizedTest
  @CsvSource({
    "TRANSACTIONAL, transactional=\"false\"",
    "READ_COMMITTED, isolationLevel=\"TRANSACTION_READ_COMMITTED\"",
    "LARGER_POOL, maxPoolSize",
    "TWO_PHASES, type=\"javax.sql.XADataSource\"",
    "RECOVERY, recoverOnStartup=\"true\"",
    "LONGER_DELIVERIES, totalTranLifetimeTimeout",
    "DURABLE_MAPPING, persistentMapping=\"AssuredPersistent\"",
    "UNLIMITED_DELIVERIES, failedDeliveryPolicy=\"KEEP_TRYING\""
  })
  void itsWordsAreThoseOfItsConfiguration(ServerSetting setting, String words) {
    assertThat(liberty.toDo(setting)).contains(words);
  }
}
