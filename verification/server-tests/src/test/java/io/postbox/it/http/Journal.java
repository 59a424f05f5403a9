package io.postbox.it.http;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Path;

/** Inherits its method. */
@Path("payments/journal")
@RequestScoped
@Idempotent(value = "till", anonymous = true)
public class Journal extends Payments {}
