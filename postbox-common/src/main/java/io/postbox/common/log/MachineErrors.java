package io.postbox.common.log;

/**
 * Tells failures of the application's code from those of the virtual machine. An application may
 * throw any error (a class that cannot be loaded, an assertion, a recursion without an end), and
 * none of them may stop more than the message that it was called for.
 */
public final class MachineErrors {
  private MachineErrors() {}

  /** Throws it again if no code of the application is to blame, as where there is no memory. */
  public static void rethrow(Throwable failed) {
    if (failed instanceof VirtualMachineError error && !(failed instanceof StackOverflowError)) {
      throw error;
    }
  }
}
