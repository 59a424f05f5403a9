package io.postbox.testkit.injected;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Faults and seeded bugs inside a server that a Byteman rule cannot express. */
public final class InjectedFaults {
  private InjectedFaults() {}

  /** The same in another order. */
  public static List<Object> backwards(List<?> batch) {
    List<Object> backwards = new ArrayList<>(batch);
    Collections.reverse(backwards);
    return backwards;
  }

  /** Acts on a transaction as an insert does whose row exists already, and reports nothing. */
  public static void insertInVain(Object connection) throws ReflectiveOperationException {
    Object statement = type("java.sql.Connection").getMethod("createStatement").invoke(connection);
    try {
      type("java.sql.Statement")
          .getMethod("execute", String.class)
          .invoke(statement, "INSERT INTO inbox_message SELECT * FROM inbox_message");
    } catch (InvocationTargetException caught) {
      return; // that is the bug
    }
    throw new AssertionError("There is nothing in the inbox");
  }

  /** Puts all that is parked back to work, as the application on this thread would. */
  public static void redriveAll() throws ReflectiveOperationException {
    Object cdi = type("jakarta.enterprise.inject.spi.CDI").getMethod("current").invoke(null);
    Object found =
        type("jakarta.enterprise.inject.Instance")
            .getMethod("select", Class.class, Annotation[].class)
            .invoke(cdi, type("io.postbox.inbox.ParkedMessages"), new Annotation[0]);
    Object parked = type("jakarta.inject.Provider").getMethod("get").invoke(found);
    Class<?> filter = type("io.postbox.inbox.KeptFilter");
    Class<?> messages = type("io.postbox.inbox.ParkedMessages");
    Object plan =
        messages.getMethod("plan", filter).invoke(parked, filter.getMethod("all").invoke(null));
    messages
        .getMethod("redrive", type("io.postbox.inbox.KeptPlan"), String.class)
        .invoke(parked, plan, "a test with a seeded bug");
  }

  /** Marks the transaction on this thread for rollback, and says nothing. */
  public static void rollBackSilently() throws ReflectiveOperationException {
    Object context = type("javax.naming.InitialContext").getConstructor().newInstance();
    Object registry =
        type("javax.naming.Context")
            .getMethod("lookup", String.class)
            .invoke(context, "java:comp/TransactionSynchronizationRegistry");
    type("jakarta.transaction.TransactionSynchronizationRegistry")
        .getMethod("setRollbackOnly")
        .invoke(registry);
  }

  /** As the application on this thread knows it; the boot class path has only java.base. */
  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, true, Thread.currentThread().getContextClassLoader());
  }
}
