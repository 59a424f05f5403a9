package io.postbox.it.refused;

import io.postbox.outbox.Outbox;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Makes an EJB module of its jar. */
@Stateless
public class Bean {
  @Inject Outbox outbox;
}
