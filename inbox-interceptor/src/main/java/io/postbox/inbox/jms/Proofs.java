package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.common.log.Throttle;
import io.postbox.common.text.Digests;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Fingerprint;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proves that this service has set a message's control properties; without a proof they are
 * ignored. Any sender to a queue can set properties of these names, and a bridge that copies
 * headers sets those of another service.
 *
 * <p>The proof is the property {@link CopyProperties#PROOF}: {@code 1.<mac>.<consumer>}, followed
 * by {@code .<property>} for each property in which the consumer finds its ids; all but the first
 * part in Base64 for URLs, without padding. The MAC is HMAC-SHA-256 over {@link #authenticated}. It
 * binds the control properties to the service, the consumer for which the message was sent, the
 * body's fingerprint and the message's ids, so that it is invalid on any other message. A change of
 * the authenticated values needs a new version, because the nodes of a service are upgraded one by
 * one and copies from older nodes are in transit.
 *
 * <p>Thread-safe.
 */
public final class Proofs {
  private static final String VERSION = "1";
  private static final int FIXED_PARTS = 3;

  private final String service;
  private final Supplier<byte[]> key;
  private final Throttle ignored;

  /**
   * @param service the owner of the tables
   * @param key returns the key stored in the tables; called only for a message with control
   *     properties, and throws an {@link io.postbox.inbox.InboxException} while it cannot be read
   */
  public Proofs(String service, Supplier<byte[]> key) {
    this(service, key, System::nanoTime);
  }

  Proofs(String service, Supplier<byte[]> key, LongSupplier nanos) {
    this.service = service;
    this.key = key;
    ignored = new Throttle(nanos);
  }

  /**
   * Adds the proof to a message that is about to be sent, if it has control properties.
   *
   * @param consumer the consumer for which it is sent
   * @param same the annotated uses of this consumer's name
   */
  public void prove(Message message, String consumer, Collection<Consumer> same)
      throws JMSException {
    Map<String, Object> control = control(message);
    if (control.isEmpty()) {
      return;
    }
    SortedSet<String> idProperties = new TreeSet<>();
    for (Consumer each : same) {
      if (each.idFrom() == IdFrom.PROPERTY) {
        idProperties.add(each.property());
      }
    }
    byte[] mac =
        mac(
            authenticated(
                service, consumer, Fingerprints.of(message), ids(message, idProperties), control));
    List<String> parts = new ArrayList<>(List.of(VERSION, encoded(mac), encoded(consumer)));
    idProperties.forEach(property -> parts.add(encoded(property)));
    message.setStringProperty(CopyProperties.PROOF, String.join(".", parts));
  }

  /** The proven control properties of a message. */
  ProvenProperties provenIn(Message message) throws JMSException {
    Map<String, Object> control = control(message);
    if (control.isEmpty()) {
      return ProvenProperties.NOTHING;
    }
    return message.getObjectProperty(CopyProperties.PROOF) instanceof String proof
            && proves(proof, message, control)
        ? new ProvenProperties(control, Set.of())
        : new ProvenProperties(Map.of(), control.keySet());
  }

  /**
   * Logs, once a minute at most, a message whose control properties are ignored.
   *
   * @param id the message's id, by the consumer or by the broker
   */
  void tellIgnored(String consumer, @Nullable String id, Set<String> properties) {
    ignored.tell(times -> WatchLog.unproven(consumer, id, properties, times));
  }

  private boolean proves(String proof, Message message, Map<String, Object> control)
      throws JMSException {
    String[] parts = proof.split("\\.", -1);
    if (parts.length < FIXED_PARTS || !parts[0].equals(VERSION)) {
      return false;
    }
    byte[] found;
    String consumer;
    List<String> idProperties = new ArrayList<>();
    try {
      found = Base64.getUrlDecoder().decode(parts[1]);
      consumer = decoded(parts[2]);
      for (int i = FIXED_PARTS; i < parts.length; i++) {
        idProperties.add(decoded(parts[i]));
      }
    } catch (IllegalArgumentException notOurs) {
      return false;
    }
    byte[] expected =
        mac(
            authenticated(
                service, consumer, Fingerprints.of(message), ids(message, idProperties), control));
    return MessageDigest.isEqual(expected, found);
  }

  /**
   * The input of the MAC: alternating names and values, each preceded by its length, so that no two
   * messages have the same input; a value names its type. Not JSON, because writers of JSON differ
   * in form.
   */
  static String authenticated(
      String service,
      String consumer,
      Fingerprint fingerprint,
      Map<String, @Nullable Object> ids,
      Map<String, Object> control) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("proof", VERSION);
    all.put("service", service);
    all.put("consumer", consumer);
    all.put("fingerprint", fingerprint.version() + ":" + fingerprint.sha256());
    ids.forEach((name, value) -> all.put("id " + name, value));
    for (String name : CopyProperties.CONTROL) {
      all.put(name, control.get(name));
    }
    StringBuilder text = new StringBuilder();
    all.forEach(
        (name, value) -> {
          append(text, name);
          append(text, value == null ? "null" : Json.withType(value));
        });
    return text.toString();
  }

  private static void append(StringBuilder text, String part) {
    text.append(part.length()).append(':').append(part);
  }

  private byte[] mac(String authenticated) {
    // UTF-16 also encodes unpaired surrogates.
    return Digests.hmac(key.get(), Contents.utf16(authenticated));
  }

  /**
   * The ids by which consumers know the message; the JMSMessageID only once it is a control
   * property.
   */
  private static Map<String, @Nullable Object> ids(Message message, Collection<String> properties)
      throws JMSException {
    Map<String, @Nullable Object> ids = new LinkedHashMap<>();
    ids.put(OutboxProperties.MESSAGE_ID, message.getObjectProperty(OutboxProperties.MESSAGE_ID));
    for (String property : properties) {
      ids.put(property, message.getObjectProperty(property));
    }
    return ids;
  }

  private static Map<String, Object> control(Message message) throws JMSException {
    Map<String, Object> control = new LinkedHashMap<>();
    for (String name : CopyProperties.CONTROL) {
      Object value = message.getObjectProperty(name);
      if (value != null) {
        control.put(name, value);
      }
    }
    return control;
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }
}
