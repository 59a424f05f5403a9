package io.postbox.common.config;

/** A configuration with which a module does not start; names the key, the value and the bounds. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the key, its value, and what would be right
   */
  public ConfigurationException(String message) {
    super(message, null, false, false); // the place in the code says nothing to the reader
  }
}
