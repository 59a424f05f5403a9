package io.postbox.common.config;

import java.util.Optional;

/**
 * What is kept from whoever reads tables and logs.
 *
 * @param encryptionRequired whether nothing works without a cipher, nor with a row in the clear
 * @param errorDetail what is told of exceptions, if that was configured
 */
public record Confidentiality(boolean encryptionRequired, Optional<ErrorDetail> errorDetail) {
  /** With nothing configured. */
  public static final Confidentiality DEFAULT = new Confidentiality(false, Optional.empty());

  /** What logs, tables and events tell of an exception. */
  public enum ErrorDetail {
    /** The classes of it and of its causes. */
    CLASS,
    /** Their messages, too, which may hold what a message is about. */
    MESSAGE
  }

  /** What is configured; else only classes where there is a cipher, for it has a reason. */
  public ErrorDetail errorDetail(boolean hasCipher) {
    return errorDetail.orElse(hasCipher ? ErrorDetail.CLASS : ErrorDetail.MESSAGE);
  }
}
