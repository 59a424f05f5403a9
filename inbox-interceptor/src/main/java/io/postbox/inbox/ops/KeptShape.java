package io.postbox.inbox.ops;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.Place;
import io.postbox.inbox.store.SealedTexts;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How messages of one kind are read.
 *
 * @param kind which
 * @param entity their entity
 * @param view what a user sees of one
 */
public record KeptShape<E, M>(Kind kind, Class<E> entity, BiFunction<E, SealedTexts, M> view) {

  /** Parked messages. */
  public static KeptShape<?, ParkedMessage> parked() {
    return new KeptShape<>(Kind.PARKED, ParkedMessageEntity.class, KeptShape::view);
  }

  /** Quarantined messages. */
  public static KeptShape<?, QuarantinedMessage> quarantined() {
    return new KeptShape<>(
        Kind.QUARANTINED, QuarantinedMessageEntity.class, (row, texts) -> view(row));
  }

  private static ParkedMessage view(ParkedMessageEntity row, SealedTexts texts) {
    Long version = row.aggregateVersion;
    return new ParkedMessage(
        row.id,
        row.consumer,
        row.messageId,
        row.reason,
        texts.openOrTell(
            Place.kept(
                Kind.PARKED,
                row.consumer,
                row.messageId,
                new Fingerprint(row.fingerprintVersion, hex(row.fingerprint))),
            SealedTexts.ERROR,
            row.error,
            row.sealedError),
        row.signature,
        row.attempts,
        Optional.ofNullable(row.source),
        Optional.ofNullable(row.eventType),
        Optional.ofNullable(row.aggregateType),
        Optional.ofNullable(row.aggregateId),
        version == null ? OptionalLong.empty() : OptionalLong.of(version),
        hex(row.fingerprint),
        Optional.ofNullable(row.destination),
        Optional.ofNullable(row.replyTo),
        row.bodyType,
        row.encrypted,
        instant(row.keptAt));
  }

  private static QuarantinedMessage view(QuarantinedMessageEntity row) {
    return new QuarantinedMessage(
        row.id,
        row.consumer,
        Optional.ofNullable(row.messageId),
        row.reason,
        hex(row.fingerprint),
        Optional.ofNullable(row.storedFingerprint).map(KeptShape::hex),
        Optional.ofNullable(row.destination),
        Optional.ofNullable(row.replyTo),
        row.bodyType,
        row.encrypted,
        Optional.ofNullable(row.releasedAs),
        instant(row.keptAt));
  }

  private static String hex(byte[] fingerprint) {
    return HexFormat.of().formatHex(fingerprint);
  }

  private static Instant instant(@Nullable OffsetDateTime time) {
    return Objects.requireNonNull(time).toInstant();
  }
}
