package io.postbox.it.http;

/** A failure of which {@link OutOfPaperMapper} makes a response that looks like success. */
class OutOfPaper extends RuntimeException {
  private static final long serialVersionUID = 1;
}
