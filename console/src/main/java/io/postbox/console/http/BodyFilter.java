package io.postbox.console.http;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request that changes something, up to a limit, after the role was seen. */
@Provider
@ApplicationScoped
@Priority(Priorities.ENTITY_CODER)
public class BodyFilter implements ContainerRequestFilter {
  /** Of a body, in bytes. */
  static final int LARGEST = 65_536;

  @Inject RequestBody body;

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    if (RequestPolicy.isSafe(request.getMethod())) {
      return;
    }
    if (request.getLength() > LARGEST) {
      throw Problem.tooLarge(LARGEST);
    }
    byte[] bytes = request.getEntityStream().readNBytes(LARGEST + 1);
    if (bytes.length > LARGEST) {
      throw Problem.tooLarge(LARGEST);
    }
    if (bytes.length > 0 && !isJson(request.getMediaType())) {
      throw Problem.ofStatus(415);
    }
    body.set(Fields.parse(bytes));
  }

  private static boolean isJson(@Nullable MediaType type) {
    return type != null && MediaType.APPLICATION_JSON_TYPE.isCompatible(type);
  }
}
