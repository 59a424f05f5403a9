package io.postbox.console.api;

import io.postbox.console.api.ModuleView.RuntimeValue;
import io.postbox.console.http.Json;
import jakarta.json.JsonArray;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The keys of docs/configuration.md with their defaults, and those of single names that are set.
 *
 * @param defaults by key
 */
record KnownKeys(Map<String, String> defaults) {
  private static final String FILE = "/META-INF/postbox/console-keys.txt";
  private static final Set<String> PREFIXES =
      Set.of("postbox.outbox.", "postbox.inbox.", "postbox.console.");

  /** That of data subjects, and what somebody has written in a wrong place. */
  private static final Pattern SECRET =
      Pattern.compile("(?i).*(password|passwd|secret|token|credential|private|apikey|api-key).*");

  private static final Pattern LOGIN = Pattern.compile("//[^/@\\s]*@");
  private static final String MASK = "(masked)";
  private static final int LONGEST = 1_000;

  /** Lines of a key, a space and its default, which may be missing. */
  static KnownKeys read() {
    return new KnownKeys(Resources.texts(FILE, Pattern.compile("(\\S+) ?(.*)")));
  }

  /**
   * All keys.
   *
   * @param runtime the values that operators have set instead
   */
  JsonArray json(Config config, List<RuntimeValue> runtime) {
    Map<String, RuntimeValue> set = new TreeMap<>();
    runtime.forEach(value -> set.put(value.key(), value));
    TreeSet<String> keys = new TreeSet<>(defaults.keySet());
    keys.removeIf(key -> key.contains("<"));
    for (String name : config.getPropertyNames()) {
      if (PREFIXES.stream().anyMatch(name::startsWith)) {
        keys.add(name);
      }
    }
    keys.addAll(set.keySet());
    return Json.array(
        keys,
        key ->
            Optional.ofNullable(set.get(key))
                .map(value -> set(value, config.getConfigValue(key)))
                .orElseGet(() -> item(key, config.getConfigValue(key))));
  }

  private static Json set(RuntimeValue value, @Nullable ConfigValue configured) {
    return Json.object()
        .put("key", value.key())
        .put("value", shown(value.key(), value.value()))
        .put(
            "configured",
            Optional.ofNullable(configured)
                .flatMap(it -> Optional.ofNullable(it.getValue()))
                .map(it -> shown(value.key(), it)))
        .put("source", "runtime")
        .put("principal", value.set().principal())
        .put("since", value.set().since())
        .put("reason", value.set().reason());
  }

  private Json item(String key, @Nullable ConfigValue value) {
    String read = value == null ? null : value.getValue();
    Json item = Json.object().put("key", key);
    Optional.ofNullable(defaults.get(key))
        .filter(it -> !it.isEmpty())
        .ifPresent(it -> item.put("default", it));
    if (read == null || value == null) {
      return item.put("source", "default");
    }
    return item.put("value", shown(key, read))
        .put("source", String.valueOf(value.getSourceName()))
        .put("sourceOrdinal", value.getSourceOrdinal());
  }

  static String shown(String key, String value) {
    if (SECRET.matcher(key).matches()) {
      return MASK;
    }
    String shown = LOGIN.matcher(value).replaceAll("//" + MASK + "@");
    return shown.length() > LONGEST ? shown.substring(0, LONGEST) + "..." : shown;
  }
}
