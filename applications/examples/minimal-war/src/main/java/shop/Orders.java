package shop;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;

/** Each order is one transaction: write your own data in it as well. */
@Stateless
@Path("orders/{sku}")
public class Orders {
  public record OrderPlaced(String sku) {}

  @ApplicationPath("")
  public static class Api extends Application {}

  @Inject Outbox outbox;

  @POST
  public String place(@PathParam("sku") String sku) {
    return outbox.enqueue(OutboxMessage.to("shipping").json(new OrderPlaced(sku))) + "\n";
  }
}
