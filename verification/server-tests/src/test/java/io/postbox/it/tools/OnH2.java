package io.postbox.it.tools;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;

/** A test in the server whose application has its tables in H2, the default database. */
@ArquillianTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnH2 {
  /** The service's name; the package's if it is empty. */
  String value() default "";

  /** Whether the application is deployed around the tests; otherwise they do it themselves. */
  boolean managed() default true;
}
