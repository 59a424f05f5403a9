package io.postbox.inbox.config;

import java.util.List;

/**
 * What the inbox was told, checked. Keys and bounds are in the README's table.
 *
 * @param service the owner of the tables
 * @param dataSource global JNDI name of the application's data source
 * @param tables where the tables are
 * @param createTables whether the tables are made at start if they are missing
 * @param unknownKeys what to say of keys that mean nothing, where those are only reported
 */
public record InboxConfig(
    String service,
    String dataSource,
    TableNames tables,
    boolean createTables,
    List<String> unknownKeys) {}
