package io.postbox.outbox.ops;

import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.PlanRefusedException;
import io.postbox.outbox.PlanRefusedException.Why;
import io.postbox.outbox.PlanToken;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.log.OutboxLog;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks the tokens of plans, on any node of the service. A token's MAC is HMAC-SHA-256
 * with the key of the service over what the plan touches and shows, who made it and until when it
 * is good; each part stands behind its length, so that no two plans are one text. Whether a plan
 * was carried out already is for {@code postbox_audit} to say. Thread-safe.
 */
public final class PlanTokens {
  /** Of a plan that was counted and not shown to anybody yet; it proves nothing. */
  static final PlanToken NONE = new PlanToken(new UUID(0, 0), "", Instant.EPOCH, "");

  private static final Duration VALIDITY = Duration.ofHours(1);
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "plan 1";

  private final String service;
  private final SecretKeySpec key;
  private final InstantSource clock;

  /**
   * @param service the owner of the tables
   * @param key that of the service
   * @param clock this node's
   */
  public PlanTokens(String service, byte[] key, InstantSource clock) {
    this.service = service;
    this.key = new SecretKeySpec(key, ALGORITHM);
    this.clock = clock;
  }

  /** The plan as it is shown to whoever asked for it. */
  public DeadLetterPlan of(DeadLetterPlan counted, String principal) {
    return new DeadLetterPlan(
        issue(principal, content(counted)),
        counted.filter(),
        counted.asOf(),
        counted.perSecond(),
        counted.destinations());
  }

  /** The plan as it is shown to whoever asked for it. */
  public WaitingPlan of(WaitingPlan counted, String principal) {
    return new WaitingPlan(
        issue(principal, content(counted)),
        counted.destination(),
        counted.asOf(),
        counted.pending(),
        counted.delayed(),
        counted.held());
  }

  /**
   * Checks a plan that is to be carried out.
   *
   * @throws PlanRefusedException if it is not this service's, not theirs, or too old
   */
  void check(DeadLetterPlan plan, String principal) {
    check(plan.token(), principal, content(plan));
  }

  /**
   * Checks a plan that is to be carried out.
   *
   * @throws PlanRefusedException if it is not this service's, not theirs, or too old
   */
  void check(WaitingPlan plan, String principal) {
    check(plan.token(), principal, content(plan));
  }

  /** All but the rate, which is for whoever carries the plan out to choose. */
  private static List<Object> content(DeadLetterPlan plan) {
    List<Object> content = new ArrayList<>(List.of("dead letters", plan.asOf()));
    plan.filter()
        .criteria()
        .forEach((criterion, value) -> content.addAll(List.of(criterion, text(value))));
    for (ForDestination found : plan.destinations()) {
      content.addAll(
          List.of(
              found.destination(),
              found.letters(),
              found.orderingKeys(),
              found.followers(),
              found.expired(),
              found.oldest(),
              found.newest()));
    }
    return content;
  }

  private static List<Object> content(WaitingPlan plan) {
    return List.of(
        "waiting", plan.destination(), plan.asOf(), plan.pending(), plan.delayed(), plan.held());
  }

  /** A set has no order of its own. */
  private static Object text(Object value) {
    return value instanceof Set<?> set ? new TreeSet<>(set) : value;
  }

  /**
   * The token of a new plan.
   *
   * @param principal who asked for it
   * @param content what it touches and shows
   */
  PlanToken issue(String principal, List<?> content) {
    UUID id = UUID.randomUUID();
    Instant expiresAt = clock.instant().plus(VALIDITY);
    return new PlanToken(id, principal, expiresAt, encoded(mac(id, principal, expiresAt, content)));
  }

  /**
   * Checks a plan that is to be carried out.
   *
   * @param principal who is to carry it out
   * @param content what it touches and shows
   * @throws PlanRefusedException if it is not this service's, not theirs, or too old
   */
  void check(PlanToken token, String principal, List<?> content) {
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

  /** What to throw; told in the log too, for it may be an attempt to do what nobody was shown. */
  static PlanRefusedException refused(PlanToken token, Why why, String principal) {
    PlanRefusedException refused = new PlanRefusedException(token.id(), why);
    OutboxLog.planRefused(principal, String.valueOf(refused.getMessage()));
    return refused;
  }

  private byte[] mac(UUID id, String principal, Instant expiresAt, List<?> content) {
    StringBuilder text = new StringBuilder();
    for (Object part : List.of(PURPOSE, service, id, principal, expiresAt, content.size())) {
      append(text, part);
    }
    content.forEach(part -> append(text, part));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }

  private static void append(StringBuilder text, Object part) {
    String value = part.toString();
    text.append(value.length()).append(':').append(value);
  }

  private static String encoded(byte[] mac) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
  }
}
