package io.postbox.sample.web;

import io.postbox.sample.billing.BillingService;
import io.postbox.sample.billing.InvoiceDetails;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accounts. */
@Path("invoices")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class BillingResource {
  @Inject BillingService billing;

  /** The invoices for an order; none for an order that does not exist or is not billed yet. */
  @GET
  public List<InvoiceDetails> invoices(@QueryParam("orderId") @Nullable String orderId) {
    return billing.invoicesFor(
        Numbers.id(orderId)
            .orElseThrow(
                () -> new BadInputException("orderId", orderId, "must be an order's number")));
  }
}
