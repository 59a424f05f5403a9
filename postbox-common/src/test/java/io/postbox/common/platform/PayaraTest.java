package io.postbox.common.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PayaraTest {
  private static final String RESOURCE = "amx:pp=/domain/resources,type=jdbc-resource,name=%s";
  private static final String POOL = "amx:pp=/domain/resources,type=jdbc-connection-pool,name=%s";
  private static final String SERVICE = "amx:pp=/domain/configs/config[shop-config],type=%s";
  private static final String REDELIVERIES =
      "amx:pp=/domain/configs/config[shop-config]/mdb-container,type=property,"
          + "name=cmt-max-runtime-exceptions";
  private static final String BROKER = "com.sun.messaging.jms.server:type=Broker,subtype=Config";

  private final Payara payara = new Payara();
  private final RegisteredBeans registered = new RegisteredBeans();

  /** As the server's. */
  public interface Resource {
    String getJndiName();

    String getPoolName();
  }

  /** As the server's. */
  public interface Pool {
    String getName();

    String getMaxPoolSize();

    @Nullable String getResType();
  }

  /** As the server's. */
  public interface Transactions {
    String getAutomaticRecovery();

    String getTimeoutInSeconds();
  }

  /** As the server's. */
  public interface Property {
    String getValue();
  }

  /** As the server's. */
  public interface Member {
    String getConfigRef();
  }

  /** As the server's: it does not show its configuration before it is asked to. */
  public interface Boot {
    String bootAMX();
  }

  /** As OpenMQ's. */
  public interface Broker {
    String getProperty(String name);
  }

  /** As the server's, without anything in it that matters. */
  public interface Nothing {}

  private record BoundPool(String getJndiName, String getPoolName) implements Resource {}

  private record Size(String getName, String getMaxPoolSize, @Nullable String getResType)
      implements Pool {}

  private record Limits(String getAutomaticRecovery, String getTimeoutInSeconds)
      implements Transactions {}

  private <T> void register(String name, T bean, Class<T> type) throws JMException {
    registered.register(name, bean, type);
  }

  /** This server is one of two in its domain. */
  @BeforeEach
  void hasAMember() throws Exception {
    register(
        "amx:pp=/J2EEDomain,type=J2EEServer,name=shop,j2eeType=J2EEServer",
        new Nothing() {},
        Nothing.class);
    register("amx:pp=/domain/servers,type=server,name=shop", () -> "shop-config", Member.class);
    register("amx:pp=/domain/servers,type=server,name=other", () -> "other", Member.class);
    register(
        SERVICE.formatted("transaction-service").replace("shop-config", "other"),
        new Limits("false", "1"),
        Transactions.class);
  }

  @AfterEach
  void unregister() throws Exception {
    registered.clear();
  }

  private ServerFacts facts(String dataSource) {
    return payara.facts(
        dataSource,
        "java:comp/DefaultJMSConnectionFactory",
        TransactionKind.OF_CONTAINER,
        name -> Optional.of("whatever is bound there"));
  }

  @Test
  void itsFactsAreThoseOfItsConfiguration() throws Exception {
    register(
        RESOURCE.formatted("default"), new BoundPool("jdbc/__default", "shop"), Resource.class);
    register(RESOURCE.formatted("xa"), new BoundPool("jdbc/xa", "xa"), Resource.class);
    register(POOL.formatted("shop"), new Size("shop", "17", null), Pool.class);
    register(POOL.formatted("xa"), new Size("xa", "${SIZE}", "javax.sql.XADataSource"), Pool.class);
    register(
        SERVICE.formatted("transaction-service"), new Limits("true", "300"), Transactions.class);

    assertThat(facts("java:comp/DefaultDataSource"))
        .isEqualTo(
            new ServerFacts(
                Optional.of(false),
                Optional.of(17),
                Optional.empty(),
                Optional.of(true),
                Optional.of(Duration.ofSeconds(300)),
                Optional.empty(),
                Set.of()));
    assertThat(facts("jdbc/xa").xaDataSource()).contains(true);
    assertThat(facts("jdbc/xa").poolSize()).as("a variable").isEmpty();
    assertThat(facts("jdbc/another").xaDataSource()).isEmpty();
  }

  @Test
  void aTimeOutOfZeroIsNone() throws Exception {
    register(
        SERVICE.formatted("transaction-service"), new Limits("false", "0"), Transactions.class);

    assertThat(facts("jdbc/shop").longestTransaction()).contains(Duration.ZERO);
    assertThat(facts("jdbc/shop").recoversAtStart()).contains(false);
  }

  @ParameterizedTest
  @CsvSource({"6, 7", "2147483647, 0"})
  void itsBrokerGivesMessagesUpAfterAsManyRedeliveriesAsTheContainerSays(String again, int most)
      throws Exception {
    register(SERVICE.formatted("mdb-container"), new Nothing() {}, Nothing.class);
    register(REDELIVERIES, () -> again, Property.class);

    assertThat(facts("jdbc/shop").mostDeliveries()).contains(most);
  }

  @Test
  void withoutAWordOfTheContainersThereIsOneRedelivery() throws Exception {
    register(SERVICE.formatted("mdb-container"), new Nothing() {}, Nothing.class);

    assertThat(facts("jdbc/shop").mostDeliveries()).contains(2);
  }

  @Test
  void itShowsItsConfigurationOnceItIsAskedTo() throws Exception {
    unregister();
    register(
        "amx-support:type=boot-amx",
        () -> {
          try {
            hasAMember();
            register(
                SERVICE.formatted("transaction-service"),
                new Limits("true", "0"),
                Transactions.class);
            return "amx:pp=,type=domain-root";
          } catch (Exception failed) {
            throw new IllegalStateException(failed);
          }
        },
        Boot.class);

    assertThat(facts("jdbc/shop").recoversAtStart()).contains(true);
  }

  @ParameterizedTest
  @CsvSource({
    "true, persistent",
    "'true ', persistent",
    "false, messages that are not on the disk yet"
  })
  void whatItsBrokerSynchronisesIsDurable(String synchronised, String mapping) throws Exception {
    register(
        BROKER,
        name -> name.equals("imq.persist.file.sync.enabled") ? synchronised : "",
        Broker.class);

    assertThat(payara.mapping("com.sun.messaging.jms.ra.DirectConnectionFactory"))
        .contains(mapping);
    assertThat(payara.mapping("org.apache.activemq.artemis.ra.X")).isEmpty();
    assertThat(payara.persistentMapping("no factory")).isEmpty();
  }

  /** As a provider of persistence has it: in the transaction until that is over. */
  @Test
  void theModulesUseTheDataSourceThatStaysInTheTransactionToItsEnd() {
    assertThat(payara.wholeTransaction("java:comp/DefaultDataSource"))
        .contains("jdbc/__default__pm");
    assertThat(payara.wholeTransaction("jdbc/shop")).contains("jdbc/shop__pm");
    assertThat(new WildFly().wholeTransaction("jdbc/shop")).isEmpty();
  }

  @Test
  void aUnitThatNamesTheDefaultDataSourceWritesOutsideOfItsTransactionAtTheEnd(
      @TempDir Path shop, @TempDir Path stock, @TempDir Path broken) throws IOException {
    descriptor(shop, "<jta-data-source> java:comp/DefaultDataSource </jta-data-source>");
    descriptor(stock, "<jta-data-source>jdbc/stock</jta-data-source>");
    descriptor(broken, "<jta-data-source>");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader application = application(stock, broken, shop);
        URLClassLoader another = application(stock)) {
      thread.setContextClassLoader(application);
      assertThat(facts("jdbc/shop").dataSourcesOutside())
          .containsExactly("java:comp/DefaultDataSource");
      thread.setContextClassLoader(another);
      assertThat(facts("jdbc/shop").dataSourcesOutside()).isEmpty();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void descriptor(Path archive, String dataSource) throws IOException {
    Path file = archive.resolve("META-INF/persistence.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        <!DOCTYPE persistence [<!ENTITY name "java:comp/env/another">]>
        <p:persistence xmlns:p="https://jakarta.ee/xml/ns/persistence" version="3.0">
          <p:persistence-unit name="shop">%s</p:persistence-unit>
        </p:persistence>
        """
            .formatted(dataSource.replace("jta-", "p:jta-")));
  }

  private static URLClassLoader application(Path... archives) throws IOException {
    List<URL> places = new ArrayList<>();
    for (Path archive : archives) {
      places.add(archive.toUri().toURL());
    }
    return new URLClassLoader(places.toArray(URL[]::new), null);
  }

  @Test
  void aServerThatShowsNothingIsUnknown() throws Exception {
    unregister();

    assertThat(facts("jdbc/shop")).isEqualTo(ServerFacts.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource
  void everySettingIsMadeInWordsOfItsOwn(ServerSetting setting) {
    assertThat(payara.toDo(setting))
        .isNotEqualTo(new Liberty().toDo(setting))
        .isNotEqualTo(new WildFly().toDo(setting))
        .matches("[a-z].*[^.]");
  }
}
