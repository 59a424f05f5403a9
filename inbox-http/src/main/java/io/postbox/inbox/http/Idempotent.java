package io.postbox.inbox.http;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a JAX-RS resource method take effect once for each {@code Idempotency-Key}. The inbox
 * begins a JTA transaction, in which the key, the method's effects and the response are stored; a
 * repeated request gets the stored response, and the method does not run.
 *
 * <p>A key belongs to the caller's principal and to the class and method. The same key with another
 * request (method, path, query, {@code Content-Type} or body) is answered with 422; while the first
 * request runs, another one with its key is answered with 409. A response of 500 or above, an
 * exception and a rollback are not remembered.
 *
 * <p>The class must be a CDI bean and no session bean. The method responds synchronously, and has
 * no transaction of its own.
 */
@Documented
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {
  /** The consumer under which the inbox remembers keys: 1 to 100 characters. */
  @Nonbinding
  String value();

  /** Whether a request without a key is answered with 400; otherwise it is not remembered. */
  @Nonbinding
  boolean required() default true;

  /**
   * Whether a response from 400 to 499 is stored, and the method's transaction is committed. By
   * default it is rolled back, so that the client may repeat a corrected request under its key.
   */
  @Nonbinding
  boolean remember4xx() default false;

  /**
   * How long a request waits for one that runs with its key: milliseconds, from 1. It holds no
   * connection meanwhile, and up to 100 wait on a node; further ones are answered at once.
   */
  @Nonbinding
  int waitMillis() default 2_000;

  /** The longest body of a response, in bytes, up to 600,000; a longer one fails with 500. */
  @Nonbinding
  int maxResponseBytes() default 65_536;
}
