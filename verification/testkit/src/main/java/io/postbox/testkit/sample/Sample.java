package io.postbox.testkit.sample;

import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sample, as its users see it. */
public final class Sample {
  private final URI base;

  public Sample(URI base) {
    this.base = base;
  }

  /** Its counts. */
  public record Totals(
      long orders,
      long shipments,
      long shippedOrders,
      long invoices,
      long captured,
      long handedBack,
      long pending,
      long dead,
      long duplicates,
      long quarantined) {

    /** Whether all that was ordered has gone all the way. */
    public boolean atRest() {
      return pending == 0 && orders == shippedOrders && shipments == invoices;
    }

    /** Whether the inbox has nothing left that goes on by itself. */
    public boolean isInboxAtRest() {
      return captured == 0 && handedBack == 0;
    }

    /** A number that only grows while orders are on their way, and stops when they have arrived. */
    public long done() {
      return Math.min(shipments, orders) + shippedOrders + Math.min(invoices, orders);
    }

    /**
     * Whether these numbers alone already say that something was lost, doubled or kept aside.
     *
     * @param hostile how many hostile messages there were; if any, then how often each was kept
     *     aside is for the checker to judge
     */
    public boolean wrong(long acknowledged, long hostile) {
      return orders < acknowledged
          || shipments != orders
          || invoices != shipments
          || dead != 0
          || (quarantined > 0 && hostile == 0);
    }
  }

  /** Orders; the caller judges the answer. */
  public HttpResponse<String> order(String sku, int quantity) throws IOException {
    return Http.post(
        base.resolve("/api/orders"), "{\"sku\":\"%s\",\"quantity\":%s}".formatted(sku, quantity));
  }

  /** Asks for an order's first message again. */
  public HttpResponse<String> resend(long orderId) throws IOException {
    return Http.post(base.resolve("/api/orders/" + orderId + "/resend"), "");
  }

  /** How far an order has got; empty if nobody answers. */
  public String status(long orderId) {
    try {
      return Http.field(Http.get(base.resolve("/api/orders/" + orderId)), "status");
    } catch (IOException busy) {
      return "";
    }
  }

  public Totals totals() throws IOException {
    String json = Http.get(base.resolve("/api/totals"));
    return new Totals(
        number(json, "orders"),
        number(json, "shipments"),
        number(json, "shippedOrders"),
        number(json, "invoices"),
        number(json, "captured"),
        number(json, "handedBack"),
        number(json, "pending"),
        number(json, "dead"),
        number(json, "duplicates"),
        number(json, "quarantined"));
  }

  /** The stock of some articles; the sample has to be ready. */
  public Map<String, Long> stock(List<String> skus) {
    Map<String, Long> stock = new TreeMap<>();
    try {
      for (String sku : skus) {
        stock.put(sku, number(Http.get(base.resolve("/api/stock/" + sku)), "quantity"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The sample is ready, but does not answer", e);
    }
    return stock;
  }

  private static long number(String json, String name) {
    return Long.parseLong(Http.field(json, name));
  }
}
