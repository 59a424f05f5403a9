package io.postbox.inbox.receiver;

/** The route of a message that did not arrive by JMS: its caller has to redeliver it. */
public enum NoRoute implements Route {
  /** The only instance. */
  INSTANCE;

  @Override
  public boolean wantsReply() {
    return false;
  }

  @Override
  public void reply(String result) {
    throw new UnsupportedOperationException("no reply is requested");
  }
}
