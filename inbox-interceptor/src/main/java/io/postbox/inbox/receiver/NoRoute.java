package io.postbox.inbox.receiver;

/** For a message that came without JMS: whoever brought it has to bring it again. */
public enum NoRoute implements Route {
  /** The only one. */
  INSTANCE;

  @Override
  public boolean wantsReply() {
    return false;
  }

  @Override
  public void reply(String result) {
    throw new UnsupportedOperationException("nobody waits for a reply");
  }
}
