package io.postbox.common.ops;

/**
 * Interrupts of a module's own threads. Nobody interrupts these to end them: it is handlers,
 * observers, ciphers and drivers that leave a thread's flag set, often after they have caught the
 * exception. With it the next wait would end at once, the next send would count as unanswered, and
 * H2 would close its file at the next statement.
 */
public final class Interrupts {
  private Interrupts() {}

  /** Forgets an interrupt that was left behind on the calling thread. */
  public static void forget() {
    Thread.interrupted();
  }
}
