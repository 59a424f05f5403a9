package io.postbox.inbox.config;

import io.postbox.common.config.TableNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Configurations for tests, read like a user's. */
public final class TestConfig {
  /** Any consumer may be there. */
  static final DeployedConsumers ANYBODY = new DeployedConsumers(Set.of(), true);

  /** With which digests of persons are made. */
  public static final String DATA_SUBJECT_SECRET = "0123456789abcdef0123456789abcdef";

  private TestConfig() {}

  /** The service shop on jdbc/shop. */
  public static InboxConfig shop(boolean createTables) {
    return shop(Map.of("create-tables", String.valueOf(createTables)));
  }

  /** The service shop on jdbc/shop, with settings whose keys have no prefix. */
  public static InboxConfig shop(Map<String, String> settings) {
    return of("shop", settings);
  }

  /** The service shop on jdbc/shop, which makes its tables and stores nothing in the clear. */
  public static InboxConfig encrypted() {
    Map<String, String> values =
        Map.of("postbox.encryption", "required", "postbox.inbox.create-tables", "true");
    return InboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop", ANYBODY);
  }

  /** A service on jdbc/shop, with settings whose keys have no prefix. */
  public static InboxConfig of(String service, Map<String, String> settings) {
    Map<String, String> values = new HashMap<>();
    values.put("postbox.inbox.data-source", "jdbc/shop");
    values.put("postbox.data-subject-secret", DATA_SUBJECT_SECRET);
    settings.forEach((key, value) -> values.put("postbox.inbox." + key, value));
    return InboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), service, ANYBODY);
  }

  /** A service on jdbc/shop, with tables elsewhere. */
  public static InboxConfig of(String service, TableNames tables, boolean createTables) {
    Map<String, String> settings = new HashMap<>();
    settings.put("create-tables", String.valueOf(createTables));
    if (!tables.schema().isEmpty()) {
      settings.put("schema", tables.schema());
    }
    if (!tables.prefix().isEmpty()) {
      settings.put("table-prefix", tables.prefix());
    }
    return of(service, settings);
  }
}
