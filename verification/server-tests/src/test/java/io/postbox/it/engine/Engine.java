package io.postbox.it.engine;

import io.postbox.inbox.InboxContext;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.it.tools.Database;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.ConfigProvider;

/** Does what a message's first word says, after it has left an effect. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Engine {
  private final Map<String, List<Integer>> attempts = new ConcurrentHashMap<>();
  private final List<Begun> begun = new CopyOnWriteArrayList<>();

  @Inject InboxContext context;

  /**
   * That the handler has begun with a text.
   *
   * @param nanos when, by {@link System#nanoTime}
   */
  public record Begun(String text, long nanos) {}

  @PostConstruct
  void makeTable() {
    database()
        .run("CREATE TABLE IF NOT EXISTS engine_effect (service VARCHAR(100), text VARCHAR(200))");
  }

  /** Handles a text, in the transaction of whoever calls. */
  public void handle(String text) {
    int attempt = note(text);
    database().run("INSERT INTO engine_effect (service, text) VALUES (?, ?)", service(), text);
    switch (text.split(" ", 2)[0]) {
      case "poison" -> throw new IllegalStateException("poison");
      case "reject" -> throw new RejectedMessageException("nobody can handle this");
      case "later" -> {
        if (attempt <= 3) {
          throw new RetryLaterException(Duration.ofMillis(100), "not yet");
        }
      }
      case "stumble", "swallow" -> {
        if (attempt <= 2) {
          throw new IllegalStateException("it stumbles");
        }
      }
      default -> {}
    }
  }

  private int note(String text) {
    begun.add(new Begun(text, System.nanoTime()));
    List<Integer> noted = attempts.computeIfAbsent(text, key -> new CopyOnWriteArrayList<>());
    noted.add(context.attempt());
    return noted.size();
  }

  /** Which attempts the inbox said they were, in their order. */
  public List<Integer> attemptsOn(String text) {
    return List.copyOf(attempts.getOrDefault(text, List.of()));
  }

  /** With which texts it began one after the other, of those that contain this. */
  public List<Begun> begun(String part) {
    return begun.stream().filter(one -> one.text().contains(part)).toList();
  }

  /** The texts whose effects were committed, in no order. */
  public List<String> effects(String like) {
    return database()
        .column(
            "SELECT text FROM engine_effect WHERE service = ? AND text LIKE ?", service(), like);
  }

  /** Where effects and tables are. */
  public static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  static String service() {
    return setting("postbox.service");
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
