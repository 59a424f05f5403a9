package io.postbox.common.config;

import java.util.List;

/** What both modules' configurations have. */
public interface ModuleConfig {
  /** The owner of the tables. */
  String service();

  /** Global JNDI name of the application's data source. */
  String dataSource();

  /** The place of the tables. */
  TableNames tables();

  /** Whether to create missing tables at start. */
  boolean createTables();

  /** How payloads and error texts are protected. */
  Confidentiality confidentiality();

  /** Where the metrics go. */
  MetricsSystem metrics();

  /** The report on unknown keys, if they are only reported. */
  List<String> unknownKeys();
}
