package io.postbox.it.modes;

import java.io.Serializable;

/** Deployed as {@code foreign.bin}, so that the application has its bytes and not the class. */
public class Foreign implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String text;

  public Foreign(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
