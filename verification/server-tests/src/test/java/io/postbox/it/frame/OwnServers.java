package io.postbox.it.frame;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that starts servers of its own and uses nothing of Arquillian's. Such classes run one
 * after the other, beside those that share Arquillian's servers: {@link OwnServersSuite}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(OwnServers.TAG)
public @interface OwnServers {
  /** The tag that the suites ask for. */
  String TAG = "own-servers";
}
