package io.postbox.test;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.jboss.weld.junit5.auto.EnableAutoWeld;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test with the application's beans in a CDI container, JTA transactions, an H2 database in
 * memory, the real outbox with its relay, the real inbox, and a broker in memory between them. Each
 * test method has all of that anew. {@link Postbox}, which can be injected, lets messages travel
 * and time pass.
 *
 * <pre>{@code
 * @PostboxTest(ShippingMdb.class)
 * class OrderTest {
 *   @Inject OrderService orders;
 *   @Inject Postbox postbox;
 *
 *   @Test
 *   void anOrderIsShipped() {
 *     orders.place("A-1");
 *     postbox.settle();
 *     assertThat(postbox.count("SELECT COUNT(*) FROM shipment")).isOne();
 *   }
 * }
 * }</pre>
 *
 * <p>The beans are the classes given here, what is injected into the test, and what is injected
 * into those. Enterprise beans are mapped to CDI as far as this carries:
 *
 * <ul>
 *   <li>{@code @Stateless}, {@code @Singleton} and {@code @MessageDriven} are one instance for the
 *       test, {@code @Stateful} one for each place where it is injected.
 *   <li>{@code @TransactionAttribute}, {@code @TransactionManagement} and transactional observers
 *       are followed. A runtime exception rolls back and is not wrapped in an {@code EJBException};
 *       {@code @ApplicationException} is not read, and no {@code EJBContext} is injected.
 *   <li>{@code @EJB}, {@code @PersistenceContext} and, for a {@code DataSource}, {@code
 *       UserTransaction} or {@code TransactionSynchronizationRegistry}, {@code @Resource} are
 *       injected, in fields. All data sources are the test's database, and all persistence units
 *       are on it; the provider is a dependency of the test.
 *   <li>A message-driven bean with {@code @Inbox} gets the messages of its {@code
 *       destinationLookup}, or of {@code jms/} and its consumer's name, in a transaction as {@code
 *       REQUIRED} has it. Topics, selectors, {@code mode = CAPTURE} and listeners without
 *       {@code @Inbox} are not delivered to.
 *   <li>Timers, {@code @Schedule}, {@code @Startup}, {@code @Asynchronous}, {@code @Lock}, security
 *       and JNDI are not there: code that needs them is tested in a server (docs/testing.md).
 * </ul>
 */
@Documented
@Inherited
@Retention(RUNTIME)
@Target(TYPE)
@EnableAutoWeld
@ResourceLock("io.postbox.test.PostboxTest")
public @interface PostboxTest {
  /** The beans that nothing else is injected with, such as message-driven ones. */
  Class<?>[] value() default {};

  /**
   * Settings, as {@code key=value}: those of Postbox, and the application's for MicroProfile
   * Config.
   */
  String[] settings() default {};

  /** Statements that run before each test, such as the application's tables. */
  String[] sql() default {};
}
