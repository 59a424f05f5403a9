package io.postbox.outbox.payload;

import io.postbox.common.log.RecordedError;
import io.postbox.common.text.Digests;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.PayloadFailure.Fault;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the payloads of one batch, in order. If some of them are loaded for the first time, only
 * these are, and nothing is ready: their hashes have to be committed before any can be sent, for a
 * crash after that must not lead to another payload under the same id. Nothing goes after a message
 * with the same key that cannot be resolved. Serves one batch on one thread.
 */
final class PayloadResolution {
  /** How many bytes of resolved payloads a batch may hold, beyond its first message. */
  private static final long LARGEST = 16L << 20;

  private final PayloadResolver resolver;
  private final BooleanSupplier hasTime;
  private final List<StoredMessage> ready = new ArrayList<>();
  private final Map<Long, byte[]> firstHashes = new HashMap<>();
  private final Map<StoredMessage, RecordedError> altered = new HashMap<>();
  private final Map<StoredMessage, RecordedError> failed = new HashMap<>();
  private final Map<StoredMessage, RecordedError> suspects = new HashMap<>();
  private final Set<String> stoppedKeys = new HashSet<>();
  private final Set<Long> behindOthers;
  private @Nullable String fault;
  private long size;

  private PayloadResolution(
      PayloadResolver resolver, BooleanSupplier hasTime, List<StoredMessage> batch) {
    this.resolver = resolver;
    this.hasTime = hasTime;
    behindOthers = behindOthers(batch);
  }

  /**
   * @param messages to one destination or several, each in order
   * @param hasTime whether there is time for one more; the first one is resolved anyway
   */
  static ResolvedBatch resolve(
      List<StoredMessage> messages, PayloadResolver resolver, BooleanSupplier hasTime) {
    PayloadResolution resolution = new PayloadResolution(resolver, hasTime, messages);
    resolution.resolveAll(messages.stream().filter(PayloadResolution::isLoadedFirst).toList());
    if (resolution.isUndecided()) {
      resolution.stoppedKeys.clear();
      resolution.resolveAll(withoutFirstLoads(messages));
    }
    return resolution.result();
  }

  /** Up to the first of them for each key; they wait for those in front. */
  private static List<StoredMessage> withoutFirstLoads(List<StoredMessage> messages) {
    Set<String> waiting = new HashSet<>();
    List<StoredMessage> rest = new ArrayList<>();
    for (StoredMessage message : messages) {
      String key = keyOf(message);
      if (isLoadedFirst(message) && key != null) {
        waiting.add(key);
      } else if (key == null || !waiting.contains(key)) {
        rest.add(message);
      }
    }
    return rest;
  }

  /** Those with an earlier message of their key in the batch, which has to go first. */
  private static Set<Long> behindOthers(List<StoredMessage> messages) {
    Set<String> keys = new HashSet<>();
    Set<Long> behind = new HashSet<>();
    for (StoredMessage message : messages) {
      String key = keyOf(message);
      if (key != null && !keys.add(key)) {
        behind.add(message.seq());
      }
    }
    return behind;
  }

  /** Of messages to several destinations, those to one of them are in order per key. */
  private static @Nullable String keyOf(StoredMessage message) {
    String key = message.envelope().orderingKey();
    return key == null ? null : message.destination() + '\n' + key;
  }

  private boolean isUndecided() {
    return fault == null
        && firstHashes.isEmpty()
        && altered.isEmpty()
        && failed.isEmpty()
        && suspects.isEmpty();
  }

  private static boolean isLoadedFirst(StoredMessage message) {
    return message.envelope().body() instanceof Body.Reference reference
        && reference.sha256() == null;
  }

  private void resolveAll(List<StoredMessage> messages) {
    boolean first = true;
    for (StoredMessage message : messages) {
      if (fault != null || (!first && (size > LARGEST || !hasTime.getAsBoolean()))) {
        return;
      }
      String key = keyOf(message);
      if (key == null || !stoppedKeys.contains(key)) {
        resolveOne(message);
        first = false;
      }
    }
  }

  private void resolveOne(StoredMessage message) {
    if (!resolver.appliesTo(message)) {
      ready.add(message);
      return;
    }
    try {
      take(message, resolver.resolve(message));
    } catch (PayloadFailure failure) {
      if (failure.fault() == Fault.SOURCE) {
        fault = failure.reason();
      } else if (failure.fault() == Fault.NODE) {
        stop(message); // it waits, and the next pass leaves it out
      } else {
        boolean known = failure.fault() == Fault.MESSAGE;
        stopBecause(failure.error(), message, known ? failed : suspects);
      }
    }
  }

  private void take(StoredMessage message, Envelope content) {
    if (message.envelope().body() instanceof Body.Reference reference) {
      byte[] hash = hash(content);
      byte[] first = reference.sha256();
      if (first == null) {
        firstHashes.put(message.seq(), hash);
        return;
      }
      if (!MessageDigest.isEqual(first, hash)) {
        stopBecause(RecordedError.of(difference(first, hash)), message, altered);
        return;
      }
    }
    size += content.body().size();
    ready.add(message.carrying(content.contentType(), content.body(), content.headers()));
  }

  /**
   * Behind another message of its key it only waits: a failure written for it would hold the key,
   * and the one in front with it. The next pass finds it again, when that one has gone.
   */
  private void stopBecause(
      RecordedError error, StoredMessage message, Map<StoredMessage, RecordedError> because) {
    if (!behindOthers.contains(message.seq())) {
      because.put(message, error);
    }
    stop(message);
  }

  private void stop(StoredMessage message) {
    String key = keyOf(message);
    if (key != null) {
      stoppedKeys.add(key);
    }
  }

  private static String difference(byte[] first, byte[] now) {
    HexFormat hex = HexFormat.of();
    return "its payload changed after the first load, so it was not sent: SHA-256 %s then, %s now"
        .formatted(hex.formatHex(first), hex.formatHex(now));
  }

  /** Of the media type, a zero for text or a one for octets, and the octets. */
  private static byte[] hash(Envelope content) {
    MessageDigest digest = Digests.sha256();
    digest.update(content.contentType().getBytes(StandardCharsets.UTF_8));
    digest.update((byte) (content.body() instanceof Body.Text ? 0 : 1));
    digest.update(((Body.Open) content.body()).octets());
    return digest.digest();
  }

  private ResolvedBatch result() {
    return new ResolvedBatch(
        ready, firstHashes, altered, failed, suspects, Optional.ofNullable(fault));
  }
}
