package io.postbox.common.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WildFlyTest {
  private static final String DATA_SOURCE = "jboss.as:subsystem=datasources,data-source=shop";
  private static final String XA_DATA_SOURCE = "jboss.as:subsystem=datasources,xa-data-source=xa";
  private static final String TRANSACTIONS = "jboss.as:subsystem=transactions";
  private static final String ADDRESS =
      "jboss.as:subsystem=messaging-activemq,server=default,address-setting=%s";
  private static final String LISTENER =
      "jboss.as:deployment=shop.ear,subdeployment=ejb.jar,subsystem=ejb3,message-driven-bean=%s";

  private final WildFly wildFly = new WildFly();
  private final RegisteredBeans registered = new RegisteredBeans();

  /** As the server's. */
  public interface DataSource {
    String getjndiName();

    @Nullable Integer getmaxPoolSize();
  }

  /** As the server's. */
  public interface State {
    String getProcessState();
  }

  /** As the server's. */
  public interface Address {
    @Nullable Integer getmaxDeliveryAttempts();
  }

  /** As the server's. */
  public interface Transactions {
    Integer getdefaultTimeout();

    Integer getmaximumTimeout();
  }

  /** As the server's. */
  public interface Listener {
    Boolean getdeliveryActive();

    void stopDelivery();

    void startDelivery();
  }

  private record Pool(String getjndiName, @Nullable Integer getmaxPoolSize) implements DataSource {}

  private record Limits(Integer getdefaultTimeout, Integer getmaximumTimeout)
      implements Transactions {}

  private static final class Delivery implements Listener {
    private boolean active = true;

    @Override
    public Boolean getdeliveryActive() {
      return active;
    }

    @Override
    public void stopDelivery() {
      active = false;
    }

    @Override
    public void startDelivery() {
      active = true;
    }
  }

  private <T> void register(String name, T bean, Class<T> type) throws JMException {
    registered.register(name, bean, type);
  }

  @AfterEach
  void unregister() throws Exception {
    registered.clear();
  }

  private ServerFacts facts(String dataSource, TransactionKind kind) {
    return wildFly.facts(
        dataSource, "java:/JmsXA", kind, name -> Optional.of("whatever is bound there"));
  }

  @Test
  void itsFactsAreThoseOfItsManagementModel() throws Exception {
    register(DATA_SOURCE, new Pool("java:jboss/datasources/shop", 17), DataSource.class);
    register(XA_DATA_SOURCE, new Pool("java:jboss/datasources/xa", null), DataSource.class);
    register(TRANSACTIONS, new Limits(300, 7_200), Transactions.class);

    assertThat(facts("java:jboss/datasources/shop", TransactionKind.OF_CONTAINER))
        .isEqualTo(
            new ServerFacts(
                Optional.of(false),
                Optional.of(17),
                Optional.empty(),
                Optional.of(true),
                Optional.of(Duration.ofSeconds(300)),
                Optional.empty(),
                Set.of()));
    assertThat(facts("java:jboss/datasources/xa", TransactionKind.OF_APPLICATION))
        .as("without a size it has the pool's default")
        .isEqualTo(
            new ServerFacts(
                Optional.of(true),
                Optional.of(20),
                Optional.empty(),
                Optional.of(true),
                Optional.of(Duration.ofSeconds(7_200)),
                Optional.empty(),
                Set.of()));
    assertThat(facts("java:jboss/datasources/another", TransactionKind.OF_CONTAINER).poolSize())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "-1, 0", "3, 3", ", 10"})
  void itsBrokerGivesMessagesUpAsOftenAsTheSettingOfAllAddressesSays(
      @Nullable Integer attempts, int most) throws Exception {
    register(ADDRESS.formatted("#"), (Address) () -> attempts, Address.class);
    register(ADDRESS.formatted("jms.queue.other"), (Address) () -> 7, Address.class);

    assertThat(facts("java:jboss/datasources/shop", TransactionKind.OF_CONTAINER).mostDeliveries())
        .contains(most);
  }

  @ParameterizedTest
  @CsvSource({"starting, false", "ok, true", "reload-required, true"})
  void itTellsItsSettingsOnceItHasStarted(String state, boolean tells) throws Exception {
    register("jboss.root:type=state", (State) () -> state, State.class);

    assertThat(wildFly.tellsSettings()).isEqualTo(tells);
  }

  @Test
  void aServerThatDoesNotSayWhetherItHasStartedIsAsked() {
    assertThat(wildFly.tellsSettings()).isTrue();
  }

  @Test
  void whatTheStandardsBindForComponentsHasNamesForEverybody() {
    assertThat(wildFly.globalName("java:comp/TransactionSynchronizationRegistry"))
        .contains("java:jboss/TransactionSynchronizationRegistry");
    assertThat(wildFly.globalName("java:comp/DefaultDataSource"))
        .as("the application's own is a setting")
        .isEmpty();
    assertThat(wildFly.globalName("jms/shipping")).isEmpty();
  }

  @Test
  void itsEndpointsAreTheDeliveriesToTheListenersOfTheApplication() throws Exception {
    Delivery ours = new Delivery();
    Delivery unguarded = new Delivery();
    register(LISTENER.formatted("Ours"), ours, Listener.class);
    register(LISTENER.formatted("Unguarded"), unguarded, Listener.class);
    register(
        LISTENER.formatted("Ours").replace("shop.ear", "shop.ear.old"),
        new Delivery(),
        Listener.class);
    Endpoints endpoints =
        new WildFlyEndpoints("deployment.shop.ear", Set.of("Ours"), "Ours"::equals);

    assertThat(endpoints.running()).singleElement().asString().contains("message-driven-bean=Ours");
    String id = endpoints.running().iterator().next();
    assertThat(endpoints.isBusy(id)).isTrue();
    endpoints.pause(id);
    assertThat(ours.active).isFalse();
    assertThat(endpoints.running()).isEmpty();
    endpoints.resume(id);
    assertThat(ours.active).isTrue();
    assertThat(unguarded.active).isTrue();
  }

  /**
   * The inbox in a WAR of the EAR sees the listeners of the whole EAR, which are those it guards.
   */
  @Test
  void aModuleOfAnEarHasTheEndpointsOfTheEar() throws Exception {
    register(LISTENER.formatted("Ours"), new Delivery(), Listener.class);

    assertThat(
            new WildFlyEndpoints("deployment.shop.ear.web.war", Set.of("Ours"), bean -> false)
                .running())
        .hasSize(1);
    assertThat(new WildFlyEndpoints("deployment.shop", Set.of("Ours"), bean -> false).running())
        .isEmpty();
    assertThat(new WildFlyEndpoints("", Set.of("Ours"), bean -> false).running()).isEmpty();
  }

  @Test
  void aServerThatStartsIsAskedForNoEndpoints() throws Exception {
    register("jboss.root:type=state", (State) () -> "starting", State.class);
    register(LISTENER.formatted("Ours"), new Delivery(), Listener.class);

    assertThat(new WildFlyEndpoints("deployment.shop.ear", Set.of("Ours"), bean -> false).running())
        .isEmpty();
  }

  @Test
  void anEndpointThatIsGoneIsLeftAlone() {
    Endpoints endpoints =
        new WildFlyEndpoints("deployment.shop.ear", Set.of("Ours"), bean -> false);

    endpoints.resume(LISTENER.formatted("Ours"));

    assertThat(endpoints.running()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everySettingIsMadeInWordsOfItsOwn(ServerSetting setting) {
    assertThat(wildFly.toDo(setting))
        .isNotEqualTo(new Liberty().toDo(setting))
        .matches("[a-z].*[^.]");
  }
}
