package io.postbox.crash.topology;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.NextTables;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.ArchivePath;
import org.jboss.shrinkwrap.api.ArchivePaths;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.ArchiveAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.asset.UrlAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * The sample with the jars of one release.
 *
 * @param ear the sample
 * @param version that of the jars
 */
public record Build(Path ear, String version) {
  private static final String COMMON = "postbox-common";

  /** The jars with tables, and whose they are. */
  private static final Map<String, String> MODULES =
      Map.of("outbox-ejb", "outbox", "inbox-interceptor", "inbox");

  private static final ArchivePath WEB = ArchivePaths.create("/sample-web.war");
  private static final String VERSION = "META-INF/postbox/version.properties";
  private static final String NEXT = "99.0.0";

  /**
   * That of this build.
   *
   * @param artifacts where the build has put the archives under test
   */
  public static Build ofThis(Path artifacts) {
    Path ear = artifacts.resolve("sample-ear.ear");
    EnterpriseArchive sample = ShrinkWrap.createFromZipFile(EnterpriseArchive.class, ear.toFile());
    return new Build(ear, versionOf(sample.getAsType(JavaArchive.class, place(sample, COMMON))));
  }

  /**
   * Another one: with the jars of another checkout, if {@code -Dother.build} names one that was
   * packaged; else with those of this build as if they were a later release, whose tables have the
   * next minor version.
   *
   * @param folder where to put it
   */
  public Build other(Path folder) {
    String checkout = System.getProperty("crash.other", "");
    EnterpriseArchive sample = ShrinkWrap.createFromZipFile(EnterpriseArchive.class, ear.toFile());
    WebArchive web = sample.getAsType(WebArchive.class, WEB);
    String found = exchange(sample, COMMON, checkout);
    MODULES.keySet().forEach(name -> exchange(sample, name, checkout));
    exchange(web, "inbox-http", checkout);
    put(sample, web, WEB);
    Path other = folder.resolve("other-build.ear");
    sample.as(ZipExporter.class).exportTo(other.toFile(), true);
    return new Build(other, found);
  }

  /** Whether its tables have the next minor version. */
  public boolean isNext() {
    return version.equals(NEXT);
  }

  private static String exchange(Archive<?> archive, String name, String checkout) {
    ArchivePath place = place(archive, name);
    JavaArchive jar =
        checkout.isEmpty()
            ? next(archive.getAsType(JavaArchive.class, place), name)
            : ShrinkWrap.createFromZipFile(JavaArchive.class, jarIn(checkout, name).toFile());
    put(archive, jar, place);
    return versionOf(jar);
  }

  private static void put(Archive<?> into, Archive<?> archive, ArchivePath place) {
    into.delete(place);
    into.add(new ArchiveAsset(archive, ZipExporter.class), place);
  }

  private static JavaArchive next(JavaArchive jar, String name) {
    jar.delete("/" + VERSION);
    jar.addAsResource(new StringAsset("artifact=%s\nversion=%s\n".formatted(name, NEXT)), VERSION);
    String module = MODULES.get(name);
    if (module != null) {
      for (Dialect dialect : Dialect.values()) {
        jar.addAsResource(
            new UrlAsset(NextTables.script(dialect, module)), dialect.script(module + "-1.1"));
      }
    }
    return jar;
  }

  private static ArchivePath place(Archive<?> archive, String jar) {
    return archive
        .getContent(Filters.include(".*/" + jar + "(-[\\d.]+(-SNAPSHOT)?)?\\.jar"))
        .keySet()
        .iterator()
        .next();
  }

  private static Path jarIn(String checkout, String name) {
    Pattern jar = Pattern.compile(name + "-[\\d.]+(?:-SNAPSHOT)?\\.jar");
    Path folder = Path.of(checkout, name, "target");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> jar.matcher(String.valueOf(file.getFileName())).matches())
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(folder + " has no " + jar));
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read; was it packaged?", e);
    }
  }

  private static String versionOf(JavaArchive jar) {
    Properties properties = new Properties();
    try (InputStream in = jar.get("/" + VERSION).getAsset().openStream()) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(jar.getName() + " does not say its version", e);
    }
    return properties.getProperty("version");
  }
}
