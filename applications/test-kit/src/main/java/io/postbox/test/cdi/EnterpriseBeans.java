package io.postbox.test.cdi;

import io.postbox.test.database.Transactions;
import io.postbox.test.jpa.PersistenceContexts;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.Singleton;
import jakarta.ejb.Stateful;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.enterprise.inject.spi.configurator.AnnotatedTypeConfigurator;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import jakarta.transaction.UserTransaction;
import java.lang.annotation.Annotation;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes CDI beans of enterprise beans. Session beans begin transactions as their annotations say; a
 * message-driven one runs in the transaction of its delivery. CDI injects everything that the
 * server would inject.
 */
public final class EnterpriseBeans implements Extension {
  private final DataSource dataSource;
  private final PersistenceContexts persistence;
  private final Set<String> units = new LinkedHashSet<>();

  private static final class Injected extends AnnotationLiteral<Inject> implements Inject {
    private static final long serialVersionUID = 1L;
  }

  private static final class FromServer extends AnnotationLiteral<ServerResource>
      implements ServerResource {
    private static final long serialVersionUID = 1L;
  }

  /** The binding of Narayana's interceptors. */
  private static final class InTransaction extends AnnotationLiteral<Transactional>
      implements Transactional {
    private static final long serialVersionUID = 1L;
    private final TxType type;

    InTransaction(TxType type) {
      this.type = type;
    }

    @Override
    public TxType value() {
      return type;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the annotation has it
    public Class[] rollbackOn() {
      return new Class<?>[0];
    }

    @Override
    @SuppressWarnings("rawtypes") // as the annotation has it
    public Class[] dontRollbackOn() {
      return new Class<?>[0];
    }
  }

  /**
   * @param dataSource of all resources of that type
   * @param persistence of all persistence units
   */
  public EnterpriseBeans(DataSource dataSource, PersistenceContexts persistence) {
    this.dataSource = dataSource;
    this.persistence = persistence;
  }

  <T> void map(
      @Observes
          @WithAnnotations({Stateless.class, Stateful.class, Singleton.class, MessageDriven.class})
          ProcessAnnotatedType<T> event) {
    AnnotatedTypeConfigurator<T> bean = event.configureAnnotatedType();
    if (!hasScope(bean)) {
      bean.add(
          bean.getAnnotated().isAnnotationPresent(Stateful.class)
              ? Dependent.Literal.INSTANCE
              : ApplicationScoped.Literal.INSTANCE);
    }
    if (!bean.getAnnotated().isAnnotationPresent(MessageDriven.class)) {
      addTransactions(bean);
    }
  }

  private static boolean hasScope(AnnotatedTypeConfigurator<?> bean) {
    return bean.getAnnotated().isAnnotationPresent(ApplicationScoped.class)
        || bean.getAnnotated().isAnnotationPresent(Dependent.class);
  }

  private static void addTransactions(AnnotatedTypeConfigurator<?> bean) {
    TransactionManagement management =
        bean.getAnnotated().getAnnotation(TransactionManagement.class);
    if (management != null && management.value() == TransactionManagementType.BEAN) {
      return;
    }
    bean.add(binding(bean.getAnnotated().getAnnotation(TransactionAttribute.class)));
    bean.filterMethods(method -> method.isAnnotationPresent(TransactionAttribute.class))
        .forEach(
            method ->
                method.add(
                    binding(method.getAnnotated().getAnnotation(TransactionAttribute.class))));
  }

  private static Annotation binding(@Nullable TransactionAttribute attribute) {
    return new InTransaction(
        attribute == null ? TxType.REQUIRED : TxType.valueOf(attribute.value().name()));
  }

  <T> void inject(
      @Observes @WithAnnotations({EJB.class, Resource.class, PersistenceContext.class})
          ProcessAnnotatedType<T> event) {
    AnnotatedTypeConfigurator<T> bean = event.configureAnnotatedType();
    bean.filterFields(field -> field.isAnnotationPresent(EJB.class))
        .forEach(field -> field.add(new Injected()));
    bean.filterFields(field -> field.isAnnotationPresent(Resource.class))
        .forEach(field -> field.add(new Injected()).add(new FromServer()));
    bean.filterFields(field -> field.isAnnotationPresent(PersistenceContext.class))
        .forEach(
            field -> {
              units.add(field.getAnnotated().getAnnotation(PersistenceContext.class).unitName());
              field.add(new Injected()).add(new FromServer());
            });
  }

  void provide(@Observes AfterBeanDiscovery event) {
    resource(event, DataSource.class, dataSource);
    resource(event, UserTransaction.class, Transactions.user());
    resource(event, TransactionSynchronizationRegistry.class, Transactions.registry());
    event
        .<EntityManager>addBean()
        .types(EntityManager.class)
        .qualifiers(new FromServer())
        .scope(Dependent.class)
        .produceWith(
            instance ->
                persistence.entityManager(
                    instance
                        .select(InjectionPoint.class)
                        .get()
                        .getAnnotated()
                        .getAnnotation(PersistenceContext.class)
                        .unitName()));
  }

  private static <T> void resource(AfterBeanDiscovery event, Class<T> type, T resource) {
    event
        .<T>addBean()
        .types(type)
        .qualifiers(new FromServer())
        .scope(Dependent.class)
        .produceWith(instance -> resource);
  }

  void open(@Observes AfterDeploymentValidation event) {
    units.forEach(persistence::open);
  }

  /** Provides a part of Postbox to the application. */
  public static <T> void provide(AfterBeanDiscovery event, Class<T> type, Supplier<T> part) {
    event
        .<T>addBean()
        .types(type)
        .qualifiers(Any.Literal.INSTANCE, Default.Literal.INSTANCE)
        .scope(Dependent.class)
        .produceWith(instance -> part.get());
  }
}
