package io.postbox.common.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A module's scripts for one database: the first one creates the tables as they were when their
 * major version began, and each further one, {@code outbox-1.2.sql} for instance, adds what the
 * next minor version has. All together they are the tables' present shape. A released script never
 * changes.
 */
public final class TableScripts {
  private final Dialect dialect;
  private final String module;
  private final TableVersion version;
  private final List<Script> scripts = new ArrayList<>();

  /**
   * @param jar has them
   * @param dialect the database's
   * @param module outbox or inbox
   * @param major the tables' major version
   */
  public TableScripts(ClassLoader jar, Dialect dialect, String module, int major) {
    this.dialect = dialect;
    this.module = module;
    scripts.add(Script.read(jar, dialect.script(module)));
    int minor = 0;
    while (jar.getResource(name(new TableVersion(major, minor + 1))) != null) {
      minor++;
      scripts.add(Script.read(jar, name(new TableVersion(major, minor))));
    }
    version = new TableVersion(major, minor);
  }

  private String name(TableVersion of) {
    return dialect.script(module + "-" + of);
  }

  /** The version of the tables after the last script. */
  public TableVersion version() {
    return version;
  }

  /** All statements, in order. */
  public Script all() {
    return new Script(scripts.stream().flatMap(script -> script.statements().stream()).toList());
  }

  /** The scripts that tables of an earlier minor version lack, in order. */
  List<Script> since(TableVersion earlier) {
    return scripts.subList(earlier.minor() + 1, scripts.size());
  }

  /** The names of these scripts as resources of the jar. */
  List<String> namesSince(TableVersion earlier) {
    return IntStream.rangeClosed(earlier.minor() + 1, version.minor())
        .mapToObj(minor -> name(new TableVersion(version.major(), minor)))
        .toList();
  }
}
