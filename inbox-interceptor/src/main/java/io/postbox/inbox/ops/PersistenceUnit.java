package io.postbox.inbox.ops;

import io.postbox.common.config.TableNames;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.SharedCacheMode;
import jakarta.persistence.Table;
import jakarta.persistence.ValidationMode;
import jakarta.persistence.spi.ClassTransformer;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceProviderResolverHolder;
import jakarta.persistence.spi.PersistenceUnitInfo;
import jakarta.persistence.spi.PersistenceUnitTransactionType;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A persistence unit that the inbox opens itself, so that data source, schema and table prefix can
 * come from configuration and no persistence.xml of the application is touched. It only reads, so
 * it takes part in no transaction.
 */
record PersistenceUnit(
    String name, DataSource dataSource, List<Class<?>> entities, MappingFile mapping)
    implements PersistenceUnitInfo {

  /** Opens it with the server's provider; the caller closes it. */
  static EntityManagerFactory open(
      String name, DataSource dataSource, TableNames tables, List<Class<?>> entities) {
    ClassLoader module = PersistenceUnit.class.getClassLoader();
    PersistenceUnit unit =
        new PersistenceUnit(
            name, dataSource, entities, new MappingFile(module, mapping(tables, entities)));
    List<PersistenceProvider> providers =
        PersistenceProviderResolverHolder.getPersistenceProviderResolver()
            .getPersistenceProviders();
    Map<String, String> properties =
        Map.of("eclipselink.weaving", "false", "eclipselink.session-name", name);
    for (PersistenceProvider provider : providers) {
      EntityManagerFactory opened = provider.createContainerEntityManagerFactory(unit, properties);
      if (opened != null) {
        return opened;
      }
    }
    throw new IllegalStateException(
        "The server offers no persistence provider for the inbox's operations queries; enable"
            + " the feature persistence-3.1. Offered: "
            + providers);
  }

  /** Puts schema and prefix before the entities' table names. */
  private static String mapping(TableNames tables, List<Class<?>> entities) {
    String schema = tables.schema().isEmpty() ? "" : " schema=\"" + tables.schema() + "\"";
    return entities.stream()
        .map(
            entity ->
                """
                  <entity class="%s" metadata-complete="false"><table name="%s"%s/></entity>
                """
                    .formatted(
                        entity.getName(),
                        tables.prefix() + entity.getAnnotation(Table.class).name(),
                        schema))
        .collect(
            Collectors.joining(
                "",
                "<entity-mappings xmlns=\"https://jakarta.ee/xml/ns/persistence/orm\""
                    + " version=\"3.1\">\n",
                "</entity-mappings>\n"));
  }

  @Override
  public String getPersistenceUnitName() {
    return name;
  }

  @Override
  public @Nullable String getPersistenceProviderClassName() {
    return null;
  }

  @Override
  public PersistenceUnitTransactionType getTransactionType() {
    return PersistenceUnitTransactionType.RESOURCE_LOCAL;
  }

  @Override
  public @Nullable DataSource getJtaDataSource() {
    return null;
  }

  @Override
  public DataSource getNonJtaDataSource() {
    return dataSource;
  }

  @Override
  public List<String> getMappingFileNames() {
    return List.of(MappingFile.NAME);
  }

  @Override
  public List<URL> getJarFileUrls() {
    return List.of();
  }

  @Override
  public URL getPersistenceUnitRootUrl() {
    return entities.get(0).getProtectionDomain().getCodeSource().getLocation();
  }

  @Override
  public List<String> getManagedClassNames() {
    return entities.stream().map(Class::getName).toList();
  }

  @Override
  public boolean excludeUnlistedClasses() {
    return true;
  }

  @Override
  public SharedCacheMode getSharedCacheMode() {
    return SharedCacheMode.NONE;
  }

  @Override
  public ValidationMode getValidationMode() {
    return ValidationMode.NONE;
  }

  @Override
  public Properties getProperties() {
    return new Properties();
  }

  @Override
  public String getPersistenceXMLSchemaVersion() {
    return "3.0";
  }

  @Override
  public ClassLoader getClassLoader() {
    return mapping;
  }

  @Override
  public void addTransformer(ClassTransformer transformer) {
    throw new IllegalStateException("weaving is off, so nothing can be transformed");
  }

  @Override
  public ClassLoader getNewTempClassLoader() {
    return mapping;
  }
}
