package io.postbox.common.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The database's own settings, as far as the promise depends on them.
 *
 * @param dialect which database it is
 * @param version its release
 * @param url as the driver reports it, which may lack settings
 * @param settings its settings by name, in its own words and units
 * @param missingKeys the unique keys of the module's script that the tables lack
 * @param missingIndexes the indexes of the script for which no index of the table can serve
 */
public record DatabaseFacts(
    Dialect dialect,
    String version,
    String url,
    Map<String, String> settings,
    List<String> missingKeys,
    List<String> missingIndexes) {

  /** The setting that is the connection's isolation level, by its number in JDBC. */
  public static final String ISOLATION = "isolation";

  /** A setting's value, if the database has it. */
  public Optional<String> setting(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** A setting's value, if it is a whole number. */
  public Optional<Long> number(String name) {
    return setting(name).filter(value -> value.matches("-?\\d{1,18}")).map(Long::valueOf);
  }
}
