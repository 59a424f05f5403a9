package io.postbox.it.http;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Path;

/** Inherits its method. */
@Path("payments/ledger")
@RequestScoped
@Idempotent(value = "till", anonymous = true)
public class Ledger extends Payments {}
