package io.postbox.common.ops;

import io.postbox.common.MessageFilter;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Makes and checks the tokens of plans, on any node of the service. A token's MAC is HMAC-SHA-256
 * with the key of the service over the plan's content, its maker and its expiry; each part is
 * preceded by its length, so that two plans never have the same text. The table {@code
 * postbox_audit} shows whether a plan was carried out already. Thread-safe.
 */
public final class PlanTokens {
  private static final Duration VALIDITY = Duration.ofHours(1);
  private static final String PURPOSE = "plan 1";
  private static final int DIGEST = 22;

  private final String service;
  private final byte[] key;
  private final InstantSource clock;
  private final BiConsumer<String, String> log;

  /**
   * @param service the owner of the tables
   * @param key that of the service
   * @param clock this node's
   * @param log is given the principal that was refused, and the reason
   */
  public PlanTokens(
      String service, byte[] key, InstantSource clock, BiConsumer<String, String> log) {
    this.log = log;
    this.service = service;
    this.key = key.clone();
    this.clock = clock;
  }

  /**
   * The token of a new plan.
   *
   * @param principal the user who asked for it
   * @param content of the plan
   */
  public PlanToken issue(String principal, List<?> content) {
    UUID id = UUID.randomUUID();
    Instant expiresAt = clock.instant().plus(VALIDITY);
    return new PlanToken(id, principal, expiresAt, encoded(mac(id, principal, expiresAt, content)));
  }

  /**
   * Checks a plan that is to be carried out.
   *
   * @param principal the user who is to carry it out
   * @param content of the plan
   * @throws PlanRefusedException if another service or another principal made it, or it is too old
   */
  public void check(PlanToken token, String principal, List<?> content) {
    byte[] expected = mac(token.id(), token.madeBy(), token.expiresAt(), content);
    if (!MessageDigest.isEqual(
        encoded(expected).getBytes(StandardCharsets.UTF_8),
        token.mac().getBytes(StandardCharsets.UTF_8))) {
      throw refused(token, Why.UNKNOWN, principal);
    }
    if (!token.madeBy().equals(principal)) {
      throw refused(token, Why.FOREIGN, principal);
    }
    if (!clock.instant().isBefore(token.expiresAt())) {
      throw refused(token, Why.EXPIRED, principal);
    }
  }

  /** Logs a refusal, because it may be an attempt to act on messages that no plan has shown. */
  public PlanRefusedException refused(PlanToken token, Why why, String principal) {
    PlanRefusedException refused = new PlanRefusedException(token.id(), why);
    log.accept(principal, String.valueOf(refused.getMessage()));
    return refused;
  }

  /** Stands for a text that is not to be stored; the same on every node. */
  public String digest(String text) {
    return encoded(Digests.hmac(key, ("digest 1 " + text).getBytes(StandardCharsets.UTF_8)))
        .substring(0, DIGEST);
  }

  /**
   * A filter, as part of a plan's content.
   *
   * @return criteria and values in turns, in an order that is always the same
   */
  public static List<Object> content(MessageFilter<?> filter) {
    List<Object> content = new ArrayList<>();
    filter
        .criteria()
        .forEach(
            (criterion, value) ->
                content.addAll(
                    List.of(
                        criterion,
                        // a set has no order of its own
                        value instanceof Set<?> set ? new TreeSet<>(set) : value)));
    return content;
  }

  byte[] mac(UUID id, String principal, Instant expiresAt, List<?> content) {
    StringBuilder text = new StringBuilder();
    for (Object part : List.of(PURPOSE, service, id, principal, expiresAt, content.size())) {
      append(text, part);
    }
    content.forEach(part -> append(text, part));
    return Digests.hmac(key, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void append(StringBuilder text, Object part) {
    String value = part.toString();
    text.append(value.length()).append(':').append(value);
  }

  private static String encoded(byte[] mac) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
  }
}
