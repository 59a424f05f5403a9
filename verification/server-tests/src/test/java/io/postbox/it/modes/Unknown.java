package io.postbox.it.modes;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.ObjectMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;

/** Objects of a class that the application does not have: only a loader of its own does. */
final class Unknown {
  private static final String NAME = "io.postbox.it.modes.Foreign";

  private Unknown() {}

  /** An object with a text. */
  static Serializable object(String text) {
    try {
      return (Serializable)
          new Loader().loadClass(NAME).getConstructor(String.class).newInstance(text);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its contents, and whether only the application could have said so. */
  static String read(ObjectMessage message) {
    String here;
    try {
      here = "known here " + message.getObject();
    } catch (JMSException | JMSRuntimeException expected) {
      here = "unknown here";
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new Loader());
    try {
      return "object " + here + ", elsewhere " + message.getObject();
    } catch (JMSException | JMSRuntimeException e) {
      return "object " + here + ", elsewhere " + e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Reads the class from what is not called one. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(Unknown.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals(NAME)) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream in = Unknown.class.getResourceAsStream("/foreign.bin")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
