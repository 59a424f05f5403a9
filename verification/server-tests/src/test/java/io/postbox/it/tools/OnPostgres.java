package io.postbox.it.tools;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;

/**
 * A test in the server whose application has its tables in PostgreSQL, which commits in two phases.
 */
@ArquillianTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnPostgres {
  /** The service's name, to which "-pg" is added; the package's if it is empty. */
  String value() default "";

  /** Whether the application is deployed around the tests; otherwise they do it themselves. */
  boolean managed() default true;
}
