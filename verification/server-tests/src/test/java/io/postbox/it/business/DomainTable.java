package io.postbox.it.business;

import io.postbox.it.tools.Database;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;

/** Makes the tables of the application. */
@Singleton
@Startup
public class DomainTable {

  @PostConstruct
  void make() {
    Database database = Database.byDefault();
    database.run("CREATE TABLE IF NOT EXISTS business_domain (name VARCHAR(100) PRIMARY KEY)");
    database.run(
        """
        CREATE TABLE IF NOT EXISTS business_arrival (
          place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          name  VARCHAR(100) NOT NULL)
        """);
  }
}
