package io.postbox.common.testing;

import io.postbox.common.store.Dialect;
import java.net.URL;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The jars as a later release has them, with scripts for the next minor versions of the tables:
 * these add columns, a table and an index.
 */
public final class NextTables extends ClassLoader {
  private static final Pattern MIGRATION =
      Pattern.compile("META-INF/postbox/(\\w+/\\w+)-1\\.(\\d+)\\.sql");

  private final int minor;

  /**
   * @param jar this release's
   * @param minor the tables' minor version in the later release: 1 or 2
   */
  public NextTables(ClassLoader jar, int minor) {
    super(jar);
    this.minor = minor;
  }

  @Override
  public @Nullable URL getResource(String name) {
    Matcher migration = MIGRATION.matcher(name);
    return migration.matches()
        ? Integer.parseInt(migration.group(2)) <= minor
            ? script(migration.group(1) + "-1." + migration.group(2))
            : null
        : super.getResource(name);
  }

  /** The script that brings a module's tables from version 1.0 to 1.1. */
  public static URL script(Dialect dialect, String module) {
    Matcher migration = MIGRATION.matcher(dialect.script(module + "-1.1"));
    if (!migration.matches()) {
      throw new IllegalStateException(module);
    }
    return script(migration.group(1) + "-1.1");
  }

  private static URL script(String name) {
    URL found = NextTables.class.getResource("next/" + name + ".sql");
    if (found == null) {
      throw new IllegalStateException(name);
    }
    return found;
  }
}
