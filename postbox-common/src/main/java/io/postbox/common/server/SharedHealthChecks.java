package io.postbox.common.server;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.security.CodeSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a module's health checks beans of one web module of the application. The server asks each
 * web module for all that it sees, and each sees the EAR's modules and libraries: a check of theirs
 * would be made, shown and logged once for each. Needs no class of the server's health feature.
 */
public final class SharedHealthChecks {
  private static final String FEATURE = "org.eclipse.microprofile.health";

  private final Class<?> own;
  private final Map<Class<?>, Annotation> checks = new ConcurrentHashMap<>();
  private final Map<Class<?>, Bean<?>> beans = new ConcurrentHashMap<>();
  private final ConcurrentSkipListSet<Class<?>> ofWebModules =
      new ConcurrentSkipListSet<>(Comparator.comparing(Class::getName));
  private final ConcurrentSkipListSet<Class<?>> ofLibraries =
      new ConcurrentSkipListSet<>(Comparator.comparing(Class::getName));

  /**
   * @param own a class of the module, in the package above those of all its checks
   */
  public SharedHealthChecks(Class<?> own) {
    this.own = own;
  }

  /** Notes a class of the application; a check of the module loses its qualifier. */
  public <T> void seen(ProcessAnnotatedType<T> event) {
    AnnotatedType<T> type = event.getAnnotatedType();
    Class<T> seen = type.getJavaClass();
    if (seen.getName().startsWith(own.getPackageName() + ".")) {
      type.getAnnotations().stream()
          .filter(SharedHealthChecks::isOfFeature)
          .forEach(qualifier -> checks.put(seen, qualifier));
      if (checks.containsKey(seen)) {
        event.configureAnnotatedType().remove(SharedHealthChecks::isOfFeature);
      }
    } else if (isOfWebModule(seen)) {
      ofWebModules.add(seen);
    } else if (seen.getClassLoader() == SharedHealthChecks.class.getClassLoader()) {
      ofLibraries.add(seen);
    }
  }

  /** Notes a bean: a check is made from its own, which not every module of the EAR looks up. */
  public void bean(Bean<?> bean) {
    if (checks.containsKey(bean.getBeanClass())) {
      beans.put(bean.getBeanClass(), bean);
    }
  }

  /**
   * Adds the checks to one of the web modules. Where there is none, or its classes tell nothing of
   * the modules above, to a library of the application: WildFly asks an EAR's libraries, and none
   * of its modules. Where there is none either, to where they are.
   */
  public void add(AfterBeanDiscovery event, BeanManager manager) {
    Class<?> owner =
        Stream.of(ofWebModules, ofLibraries)
            .flatMap(classes -> classes.stream().limit(1))
            .findFirst()
            .orElse(own);
    checks.forEach(
        (check, qualifier) ->
            event.addBean(new Check(check, qualifier, owner, () -> made(check, manager))));
  }

  private Object made(Class<?> check, BeanManager manager) {
    Bean<?> bean = Objects.requireNonNull(beans.get(check), "its container has made a bean of it");
    return manager.getReference(bean, check, manager.createCreationalContext(bean));
  }

  private static boolean isOfFeature(Annotation annotation) {
    return annotation.annotationType().getPackageName().equals(FEATURE);
  }

  /** Of its own classes, not of its libraries, which may be the only beans that it has. */
  private boolean isOfWebModule(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return isBelow(type.getClassLoader())
        && source != null
        && !source.getLocation().getPath().contains("/WEB-INF/lib/");
  }

  private boolean isBelow(@Nullable ClassLoader loader) {
    ClassLoader above = loader == null ? null : loader.getParent();
    while (above != null && above != own.getClassLoader()) {
      above = above.getParent();
    }
    return above != null;
  }

  /**
   * A check as a bean of the module that its owner belongs to. A bean that the container's own
   * configurator makes would belong to the extension's.
   */
  private record Check(Class<?> type, Annotation qualifier, Class<?> owner, Supplier<Object> maker)
      implements Bean<Object> {

    @Override
    public Object create(CreationalContext<Object> context) {
      return maker.get();
    }

    @Override
    public void destroy(Object instance, CreationalContext<Object> context) {
      context.release();
    }

    @Override
    public Class<?> getBeanClass() {
      return owner;
    }

    @Override
    public Set<Type> getTypes() {
      return Stream.concat(Stream.of(Object.class), Stream.of(type.getInterfaces()))
          .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Set<Annotation> getQualifiers() {
      return Set.of(qualifier, Any.Literal.INSTANCE);
    }

    @Override
    public Class<? extends Annotation> getScope() {
      return Dependent.class;
    }

    @Override
    public Set<InjectionPoint> getInjectionPoints() {
      return Set.of();
    }

    @Override
    public @Nullable String getName() {
      return null;
    }

    @Override
    public Set<Class<? extends Annotation>> getStereotypes() {
      return Set.of();
    }

    @Override
    public boolean isAlternative() {
      return false;
    }
  }
}
