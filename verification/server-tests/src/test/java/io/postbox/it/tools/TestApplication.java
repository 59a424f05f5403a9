package io.postbox.it.tools;

/**
 * The application that a class with {@link OnH2} or {@link OnPostgres} deploys.
 *
 * @param test the class
 * @param service its name
 * @param dataSource the JNDI name of the data source on which both modules have their tables
 * @param managed whether it is deployed around the tests
 */
public record TestApplication(Class<?> test, String service, String dataSource, boolean managed) {
  /** The name of its deployment, for tests that deploy it themselves. */
  public static final String DEPLOYMENT = "application";

  /**
   * That of this class.
   *
   * @throws IllegalArgumentException if it has neither annotation
   */
  public static TestApplication of(Class<?> test) {
    OnH2 onH2 = test.getAnnotation(OnH2.class);
    OnPostgres onPostgres = test.getAnnotation(OnPostgres.class);
    if (onH2 != null) {
      return new TestApplication(
          test, name(test, onH2.value()), "java:comp/DefaultDataSource", onH2.managed());
    }
    if (onPostgres != null) {
      return new TestApplication(
          test, name(test, onPostgres.value()) + "-pg", "jdbc/pg", onPostgres.managed());
    }
    throw new IllegalArgumentException(test + " has neither @OnH2 nor @OnPostgres");
  }

  private static String name(Class<?> test, String given) {
    String ofPackage = test.getPackageName();
    return given.isEmpty() ? ofPackage.substring(ofPackage.lastIndexOf('.') + 1) : given;
  }

  /** The prefix of its tables' names. */
  public String prefix() {
    return service.replace('-', '_') + "_";
  }

  /** The JNDI name of the queue that it listens to. */
  public String queue() {
    return "jms/" + service;
  }

  /** The database with its tables. */
  public Database database() {
    return Database.at(dataSource);
  }
}
