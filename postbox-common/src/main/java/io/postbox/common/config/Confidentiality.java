package io.postbox.common.config;

import java.util.Optional;

/**
 * Which contents the readers of tables and logs must not see.
 *
 * @param encryptionRequired whether a cipher is required and plaintext rows are refused
 * @param errorDetail how much is revealed of exceptions, if configured
 * @param dataSubjects makes the digests that stand for persons, if configured
 */
public record Confidentiality(
    boolean encryptionRequired,
    Optional<ErrorDetail> errorDetail,
    Optional<DataSubjectKey> dataSubjects) {
  /** With nothing configured. */
  public static final Confidentiality DEFAULT =
      new Confidentiality(false, Optional.empty(), Optional.empty());

  /** How much logs, tables and events reveal of an exception. */
  public enum ErrorDetail {
    /** Its class and those of its causes. */
    CLASS,
    /** Their messages, too, which may contain parts of a payload. */
    MESSAGE
  }

  /** The configured detail; by default only classes if the application has a cipher. */
  public ErrorDetail errorDetail(boolean hasCipher) {
    return errorDetail.orElse(hasCipher ? ErrorDetail.CLASS : ErrorDetail.MESSAGE);
  }
}
