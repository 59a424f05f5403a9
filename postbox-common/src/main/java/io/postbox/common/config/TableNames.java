package io.postbox.common.config;

/**
 * Where the tables are. Both parts are plain SQL identifiers, checked when the configuration is
 * read, so that a statement can contain them unchanged.
 *
 * @param schema the schema, or empty for the connection's own
 * @param prefix of every table's name, or empty
 */
public record TableNames(String schema, String prefix) {

  /** The name to use in a statement, for instance {@code shop.pb_outbox_message}. */
  public String qualified(String table) {
    return schema.isEmpty() ? prefix + table : schema + "." + prefix + table;
  }
}
