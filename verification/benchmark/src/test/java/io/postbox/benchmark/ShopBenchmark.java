package io.postbox.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What an order costs the sample's server in processor time, from the request to shipment and
 * invoice: with Postbox, by another build of it if one is given, and without. All run all the time
 * and are measured in turns; every other round begins at the end.
 */
class ShopBenchmark {
  private static final String SAMPLE = "sample";
  private static final String ONCE_MORE = "sample, once more";
  private static final String OTHER = "sample of the other build";
  private static final String BARE = "the same business without Postbox";
  private static final String RATIO = "%.2f";
  private static final int WARM_UPS = 3;

  private final Options options = Options.read();
  private final int orders = Options.number("orders");
  private final Optional<Path> other =
      Optional.of(Options.value("other.build"))
          .filter(it -> !it.equals("none"))
          .map(it -> Path.of(it).toAbsolutePath());
  private final Measurements costs = new Measurements();
  private final Measurements rests = new Measurements();

  @Test
  void shop() throws Exception {
    Report report = new Report("shop", "Processor time of a shop, %,d orders".formatted(orders));
    report.say(
        "- H2 and messaging in the server; 8 customers; %s rounds after a warm-up"
            .formatted(options.repetitions()));
    other.ifPresent(build -> report.say("- the other build: " + build.getFileName()));
    Map<String, ShopServer> shops = new LinkedHashMap<>();
    try {
      shops.put(SAMPLE, ShopServer.sample(options, "shop", Optional.empty()));
      shops.put(ONCE_MORE, ShopServer.sample(options, "shop-again", Optional.empty()));
      if (other.isPresent()) {
        shops.put(OTHER, ShopServer.sample(options, "shop-other", other));
      }
      shops.put(BARE, ShopServer.bare(options));
      for (int i = 0; i < WARM_UPS; i++) {
        for (ShopServer shop : shops.values()) {
          shop.order(orders);
        }
      }
      List<String> forwards = List.copyOf(shops.keySet());
      List<String> backwards = new ArrayList<>(forwards);
      Collections.reverse(backwards);
      for (int i = 0; i < options.repetitions(); i++) {
        for (String name : i % 2 == 0 ? forwards : backwards) {
          costs.measure(name, () -> shops.get(name).order(orders));
        }
        for (String name : forwards) {
          rests.measure(name, () -> shops.get(name).rest());
        }
      }
      tell(report, shops);
    } finally {
      shops.values().forEach(ShopServer::close);
    }
    report.write(options.reports());
  }

  private void tell(Report report, Map<String, ShopServer> shops) throws Exception {
    report.beginTable("milliseconds of processor time per order");
    costs.tell(report, "%.1f");
    report.beginTable("ratio per order, round by round");
    ratios(report, costs, shops);
    report.beginTable("seconds of processor time in 20 s at rest");
    rests.tell(report, RATIO);
    report.beginTable("ratio at rest, round by round");
    ratios(report, rests, shops);
    report.beginTable("seconds of processor time from the start until ready");
    shops.forEach(
        (name, shop) -> report.row(name, new Figures(List.of(shop.startSeconds())), "%.1f"));
    report.beginTable("megabytes resident at the end");
    for (Map.Entry<String, ShopServer> shop : shops.entrySet()) {
      shop.getValue()
          .residentMegabytes()
          .ifPresent(it -> report.row(shop.getKey(), new Figures(List.of(it)), "%.0f"));
    }
  }

  private static void ratios(Report report, Measurements measured, Map<String, ShopServer> shops) {
    for (String name : shops.keySet()) {
      if (!name.equals(SAMPLE)) {
        report.row(SAMPLE + " / " + name, measured.of(SAMPLE).over(measured.of(name)), RATIO);
      }
    }
  }
}
