package io.postbox.common.config;

/** A configuration with which a module does not start; names the key, the value and the bounds. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the key, its value, and the valid values
   */
  public ConfigurationException(String message) {
    super(
        message, null, false,
        false); // without a stack: the place in the code does not help the reader
  }
}
