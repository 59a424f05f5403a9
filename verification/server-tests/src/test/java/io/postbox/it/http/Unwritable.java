package io.postbox.it.http;

import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** A response whose writer refuses it. */
class Unwritable {
  @Provider
  @Produces("text/plain")
  public static class Writer implements MessageBodyWriter<Unwritable> {
    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
      return type == Unwritable.class;
    }

    @Override
    public void writeTo(
        Unwritable value,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType mediaType,
        MultivaluedMap<String, Object> headers,
        OutputStream out) {
      throw new WebApplicationException(422);
    }
  }
}
