package io.postbox.inbox.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a database tells of itself, as far as it concerns the promise.
 *
 * @param dialect which it is
 * @param version its release
 * @param url as the driver reports it, which may lack settings
 * @param settings its settings by name, in its own words and units
 * @param missingKeys the unique keys of the inbox's script that the tables lack
 * @param missingIndexes those of the script that no index of the table can stand in for
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

  /** A setting that is a whole number, if it is. */
  public Optional<Long> number(String name) {
    return setting(name).filter(value -> value.matches("-?\\d{1,18}")).map(Long::valueOf);
  }

  /** The script that makes the tables, as a resource. */
  public String script() {
    return dialect.script();
  }
}
