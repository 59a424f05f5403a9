package io.postbox.inbox.receiver;

/** For a message that came without JMS: its caller has to redeliver it. */
public enum NoRoute implements Route {
  /** The only one. */
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
