package io.postbox.test.jpa;

import io.postbox.test.database.Transactions;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transaction-scoped entity managers of the application's persistence units. To any persistence
 * provider a unit looks like one with transactions of its own; its connections belong to the JTA
 * transaction, which alone commits them. Thread-safe.
 */
public final class PersistenceContexts implements AutoCloseable {
  private final DataSource dataSource;
  private final TransactionSynchronizationRegistry transactions = Transactions.registry();
  private final Map<String, EntityManagerFactory> units = new ConcurrentHashMap<>();

  /**
   * @param dataSource of all units
   */
  public PersistenceContexts(DataSource dataSource) {
    this.dataSource = JtaOwnedConnections.of(dataSource);
  }

  /**
   * Opens a unit, and with it creates the tables that its persistence.xml asks for.
   *
   * @param unit its name in META-INF/persistence.xml
   */
  public void open(String unit) {
    EntityManagerFactory unused = factory(unit);
  }

  private EntityManagerFactory create(String unit) {
    return Persistence.createEntityManagerFactory(
        unit,
        Map.of(
            "jakarta.persistence.transactionType", "RESOURCE_LOCAL",
            "jakarta.persistence.nonJtaDataSource", dataSource,
            "jakarta.persistence.sharedCache.mode", "NONE"));
  }

  /** The entity manager of a unit, to be injected: in each transaction another one. */
  public EntityManager entityManager(String unit) {
    return (EntityManager)
        Proxy.newProxyInstance(
            PersistenceContexts.class.getClassLoader(),
            new Class<?>[] {EntityManager.class},
            (proxy, method, arguments) -> call(unit, method, arguments));
  }

  private @Nullable Object call(String unit, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return method.invoke(this, arguments);
    }
    if (transactions.getTransactionStatus() != Status.STATUS_NO_TRANSACTION) {
      return invoke(ofTransaction(unit), method, arguments);
    }
    try (EntityManager shortLived = factory(unit).createEntityManager()) {
      return invoke(shortLived, method, arguments);
    }
  }

  private static @Nullable Object invoke(
      EntityManager target, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private EntityManagerFactory factory(String unit) {
    return units.computeIfAbsent(unit, this::create);
  }

  private EntityManager ofTransaction(String unit) throws SystemException, RollbackException {
    if (transactions.getResource(key(unit)) instanceof EntityManager known) {
      return known;
    }
    EntityManager entities = factory(unit).createEntityManager();
    entities.getTransaction().begin();
    transactions.putResource(key(unit), entities);
    Transactions.manager().getTransaction().registerSynchronization(new Ending(entities));
    return entities;
  }

  private Object key(String unit) {
    return PersistenceContexts.class.getName() + "/" + unit;
  }

  /** Writes before the commit, and closes after the end. */
  private record Ending(EntityManager entities) implements Synchronization {
    @Override
    public void beforeCompletion() {
      if (entities.getTransaction().getRollbackOnly()) {
        throw new IllegalStateException("The persistence provider allows only a rollback");
      }
      entities.getTransaction().commit();
    }

    @Override
    public void afterCompletion(int status) {
      if (entities.getTransaction().isActive()) {
        entities.getTransaction().rollback();
      }
      entities.close();
    }
  }

  @Override
  public void close() {
    units.values().forEach(EntityManagerFactory::close);
  }
}
