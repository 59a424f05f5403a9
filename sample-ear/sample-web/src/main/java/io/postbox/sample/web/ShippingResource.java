package io.postbox.sample.web;

import io.postbox.sample.shipping.ShipmentDetails;
import io.postbox.sample.shipping.ShippingService;
import io.postbox.sample.shipping.StockLevel;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The warehouse: its stock and its shipments. */
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class ShippingResource {
  @Inject ShippingService shipping;

  /** The shipments for an order; none for an order that does not exist. */
  @GET
  @Path("shipments")
  public List<ShipmentDetails> shipments(@QueryParam("orderId") @Nullable String orderId) {
    return shipping.shipmentsFor(
        Numbers.id(orderId)
            .orElseThrow(
                () -> new BadInputException("orderId", orderId, "must be an order's number")));
  }

  /** The stock of an article. */
  @GET
  @Path("stock/{sku}")
  public StockLevel stock(@PathParam("sku") String sku) {
    return shipping
        .stockOf(sku)
        .orElseThrow(() -> new NotThereException("The warehouse does not know this article."));
  }
}
