package io.postbox.it.frame;

import io.postbox.it.tools.Database;
import io.postbox.it.tools.TestApplication;
import java.io.File;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;
import org.jboss.arquillian.container.test.api.Testable;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Builds what is deployed, from the jars under test as the build has left them. */
public final class Archives {
  private static final String CONFIG = "META-INF/microprofile-config.properties";

  private static final IntFunction<Class<?>[]> CLASSES = Class<?>[]::new;

  private Archives() {}

  /** A jar under test, by its artifact's name. */
  public static File artifact(String name) {
    return new File(System.getProperty("postbox.artifacts"), name + ".jar");
  }

  /**
   * The settings with which an application has tables of its own, which are made at start.
   *
   * @param name the service and, with an underscore, the tables' prefix
   * @param more other keys and values, in turns
   */
  public static Map<String, String> settings(String name, String... more) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("postbox.service", name);
    for (String module : new String[] {"outbox", "inbox"}) {
      settings.put("postbox." + module + ".table-prefix", name.replace('-', '_') + "_");
      settings.put("postbox." + module + ".create-tables", "true");
    }
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  /** The same for an application that has its tables on a certain database. */
  public static Map<String, String> settings(TestApplication application, String... more) {
    Map<String, String> settings = settings(application.service(), more);
    settings.put("postbox.outbox.data-source", application.dataSource());
    settings.put("postbox.inbox.data-source", application.dataSource());
    return settings;
  }

  /**
   * The EAR of a test class, of what lies in its package: the public classes are the EJB module,
   * the others, among them the test, and the package {@code web} below it are the WAR.
   *
   * @param without public classes that are left out
   */
  public static EnterpriseArchive ear(
      Class<?> test, String name, Map<String, String> settings, Class<?>... without) {
    String ofTest = test.getPackageName();
    Set<Class<?>> leftOut = Set.of(without);
    Class<?>[] beans =
        classesOf(ofTest).filter(it -> isPublic(it) && !leftOut.contains(it)).toArray(CLASSES);
    Class<?>[] others =
        Stream.concat(classesOf(ofTest).filter(it -> !isPublic(it)), classesOf(ofTest + ".web"))
            .toArray(CLASSES);
    return ear(name, ejbModule(name, settings, beans), webModule(name, others));
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers());
  }

  /** Those that no other class is around. */
  private static Stream<Class<?>> classesOf(String ofPackage) {
    return ShrinkWrap.create(JavaArchive.class)
        .addPackages(false, ofPackage)
        .getContent()
        .keySet()
        .stream()
        .map(path -> path.get().substring(1).replace('/', '.'))
        .filter(file -> file.endsWith(".class") && !file.contains("$"))
        .map(file -> file.substring(0, file.length() - ".class".length()))
        .filter(name -> !name.endsWith(".package-info"))
        .map(Archives::load);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Archives.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " is no class", e);
    }
  }

  /** The application's EJB module {@code <name>-ejb.jar}, with the configuration. */
  public static JavaArchive ejbModule(
      String name, Map<String, String> settings, Class<?>... classes) {
    return ShrinkWrap.create(JavaArchive.class, name + "-ejb.jar")
        .addClasses(classes)
        .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml")
        .addAsResource(new StringAsset(properties(settings)), CONFIG);
  }

  /**
   * A module with a persistence unit on a data source, as EclipseLink's users set it up today; its
   * tables are made at deployment.
   */
  public static JavaArchive withPersistence(JavaArchive module, String dataSource) {
    return module.addAsManifestResource(
        new StringAsset(
            """
            <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
              <persistence-unit name="it" transaction-type="JTA">
                <jta-data-source>%s</jta-data-source>
                <properties>
                  <property name="jakarta.persistence.schema-generation.database.action"
                            value="create"/>
                  <property name="eclipselink.jdbc.batch-writing" value="JDBC"/>
                </properties>
              </persistence-unit>
            </persistence>
            """
                .formatted(dataSource)),
        "persistence.xml");
  }

  /** The WAR of an EAR; name the test among its classes, unless it runs outside. */
  public static WebArchive webModule(String name, Class<?>... classes) {
    return ShrinkWrap.create(WebArchive.class, name + ".war")
        .addClasses(classes)
        .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
  }

  /**
   * An EAR with the outbox as an EJB module, the inbox and the shared jar in lib/, and the
   * application's modules.
   */
  public static EnterpriseArchive ear(String name, JavaArchive ejbModule, WebArchive webModule) {
    return ShrinkWrap.create(EnterpriseArchive.class, name + ".ear")
        .addAsModule(artifact("outbox-ejb"), "outbox-ejb.jar")
        .addAsModule(ejbModule)
        .addAsModule(webModule)
        .addAsLibrary(artifact("inbox-interceptor"), "inbox-interceptor.jar")
        .addAsLibrary(artifact("postbox-common"), "postbox-common.jar")
        .addAsLibraries(tools())
        .addAsLibraries(libraries());
  }

  /**
   * The EAR of a test class that has no beans, with the console as {@code <name>-console.war},
   * which is also its context root.
   */
  public static EnterpriseArchive earWithConsole(
      Class<?> test, String name, Map<String, String> settings) {
    WebArchive webModule =
        webModule(name, classesOf(test.getPackageName()).toArray(CLASSES))
            .addAsResource(
                new File("../../console/src/test/resources/endpoints.txt"), "endpoints.txt");
    return ShrinkWrap.create(EnterpriseArchive.class, name + ".ear")
        .addAsModule(artifact("outbox-ejb"), "outbox-ejb.jar")
        .addAsModule(Testable.archiveToTest(webModule))
        .addAsModule(
            new File(System.getProperty("postbox.artifacts"), "postbox-console.war"),
            name + "-console.war")
        .addAsLibrary(artifact("inbox-interceptor"), "inbox-interceptor.jar")
        .addAsLibrary(artifact("postbox-common"), "postbox-common.jar")
        .addAsLibrary(
            ShrinkWrap.create(JavaArchive.class, "settings.jar")
                .addAsResource(new StringAsset(properties(settings)), CONFIG))
        .addAsLibraries(tools())
        .addAsLibraries(libraries());
  }

  /** A WAR with everything in WEB-INF/lib. */
  public static WebArchive war(String name, Map<String, String> settings, Class<?>... classes) {
    return webModule(name, classes)
        .addAsResource(new StringAsset(properties(settings)), CONFIG)
        .addAsLibrary(artifact("outbox-ejb"), "outbox-ejb.jar")
        .addAsLibrary(artifact("inbox-interceptor"), "inbox-interceptor.jar")
        .addAsLibrary(artifact("postbox-common"), "postbox-common.jar")
        .addAsLibraries(tools())
        .addAsLibraries(libraries());
  }

  private static JavaArchive tools() {
    return ShrinkWrap.create(JavaArchive.class, "it-tools.jar")
        .addPackage(Database.class.getPackage());
  }

  /** The jars among the tests' own whose names begin with one of these. */
  public static File[] librariesNamed(String beginnings) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(File::new)
        .filter(file -> file.getName().matches("(" + beginnings + ").*\\.jar"))
        .toArray(File[]::new);
  }

  private static File[] libraries() {
    return new File[] {
      jarOf(Assertions.class), jarOf(Awaitility.class), jarOf(Matcher.class),
    };
  }

  private static File jarOf(Class<?> type) {
    try {
      return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Where is the jar of " + type + "?", e);
    }
  }

  private static String properties(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
