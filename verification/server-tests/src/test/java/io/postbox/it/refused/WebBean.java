package io.postbox.it.refused;

import io.postbox.outbox.Outbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** A bean of the WAR. */
@ApplicationScoped
public class WebBean {
  @Inject Outbox outbox;
}
