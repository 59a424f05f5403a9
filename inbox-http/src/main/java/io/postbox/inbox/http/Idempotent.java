package io.postbox.inbox.http;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a JAX-RS resource method take effect once for each {@code Idempotency-Key}. The inbox
 * begins a JTA transaction, in which the key, the method's effects and the response are stored; a
 * repeated request gets the stored response, and the method does not run.
 *
 * <p>A key belongs to the class and method, to what an {@link IdempotencyScope} says, and to the
 * caller: the principal of the resource's {@link jakarta.ws.rs.core.SecurityContext}, whoever has
 * set that. A request without one is answered with 403, unless {@link #anonymous} says otherwise.
 * The same key with another request (method, path, query, {@code Content-Type} or body, but not the
 * boundary of a multipart body) is answered with 422; while the first request runs, another one
 * with its key is answered with 409. A repeated response has the header {@code Idempotent-Replayed:
 * true}.
 *
 * <p>A response of 500 or above, whatever the method throws, and a rollback are undone and not
 * remembered, also if an exception is mapped to a response below 500.
 *
 * <p>The class must be a CDI bean and no session bean, and is annotated itself or in its
 * superclass; on an interface or a method that is overridden the annotation has no effect, and the
 * deployment is refused. The method responds synchronously, and has no transaction of its own.
 */
@Documented
@Inherited
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
   * Whether callers without a principal may send keys. All of them share one space then: whoever
   * knows or guesses the key of another one's request, and repeats that, gets its response.
   */
  @Nonbinding
  boolean anonymous() default false;

  /**
   * Whether a response from 400 to 499 that the method returns is stored, and its transaction is
   * committed. By default it is rolled back, so that the client may repeat a corrected request
   * under its key. Always rolled back is one that an exception has become.
   */
  @Nonbinding
  boolean remember4xx() default false;

  /**
   * How long a request waits for one that runs with its key: milliseconds, from 1. It holds no
   * connection meanwhile, and up to 100 wait on a node; further ones are answered at once.
   */
  @Nonbinding
  int waitMillis() default 2_000;

  /**
   * Names of further headers of the response that are stored, beside {@code Content-*} (but the
   * length), {@code Cache-Control}, {@code Digest}, {@code ETag}, {@code Expires}, {@code
   * Last-Modified}, {@code Link}, {@code Location}, {@code Repr-Digest}, {@code Retry-After} and
   * {@code Vary}.
   */
  @Nonbinding
  String[] headers() default {};

  /** The longest body of a response, in bytes, up to 600,000; a longer one fails with 500. */
  @Nonbinding
  int maxResponseBytes() default 65_536;
}
