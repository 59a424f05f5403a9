package io.postbox.browser;

import io.postbox.browser.Chromium.Look;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** An address of each page, with the canned answers' ids. */
final class Routes {
  /** The pages that differ most from each other, where looking at all takes too long. */
  private static final Set<String> SOME =
      Set.of("failures", "cause-outbox", "dead-letters", "destinations", "life", "action", "audit");

  /** A message that waits behind another. */
  static final String HELD = "acf4b89d-3d50-7d82-82c9-c4ba75ddbf6d";

  /** A message that is parked. */
  static final String PARKED = "28dd2c79-55ce-7264-8624-0b2ff0100bde";

  private static final Canned CANNED = new Canned(false);

  private Routes() {}

  /** Addresses by name. */
  static Map<String, String> all() {
    String letter = id("dead-letters", 1);
    Map<String, String> routes = new LinkedHashMap<>();
    routes.put("overview", "#/");
    routes.put("destinations", "#/destinations");
    routes.put("destination", "#/destinations/billing");
    routes.put("destination-unknown", "#/destinations/nosuch");
    routes.put("consumers", "#/consumers");
    routes.put("consumer", "#/consumers/shipping");
    routes.put("failures", "#/failures");
    routes.put("cause-outbox", "#/failures/outbox/" + signature("outbox-failures"));
    routes.put("cause-inbox", "#/failures/inbox/" + signature("inbox-failures"));
    routes.put("dead-letters", "#/dead-letters");
    routes.put("dead-letters-filtered", "#/dead-letters?destination=billing");
    routes.put("dead-letter", "#/dead-letters/" + letter);
    routes.put("archive", "#/archive");
    routes.put("parked", "#/parked");
    routes.put("parked-one", "#/parked/501");
    routes.put("quarantined", "#/quarantined");
    routes.put("quarantined-one", "#/quarantined/31");
    routes.put("gaps", "#/gaps");
    routes.put("find", "#/messages");
    routes.put("messages", "#/messages?aggregateType=Order&aggregateId=10042");
    routes.put("life", "#/messages/" + letter);
    routes.put("life-parked", "#/messages/" + PARKED);
    routes.put("life-held", "#/messages/" + HELD);
    routes.put("actions", "#/actions");
    routes.put("action", "#/actions/a-15");
    routes.put("audit", "#/audit");
    routes.put("findings", "#/findings");
    routes.put("policies", "#/policies");
    routes.put("configuration", "#/configuration");
    routes.put("nodes", "#/nodes");
    routes.put("nowhere", "#/nowhere");
    return routes;
  }

  /** A part of them, unless all are worth their time in this look. */
  static Map<String, String> of(Look look) {
    Map<String, String> routes = all();
    if (look != Look.DESKTOP_LIGHT && look != Look.PHONE_DARK) {
      routes.keySet().retainAll(SOME);
    }
    return routes;
  }

  static String signature(String groups) {
    return CANNED.items(groups).getJsonObject(0).getString("signature");
  }

  static String id(String list, int index) {
    return CANNED.items(list).getJsonObject(index).getString("id");
  }
}
