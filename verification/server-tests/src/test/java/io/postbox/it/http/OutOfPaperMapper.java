package io.postbox.it.http;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Makes a failure look like success. */
@Provider
public class OutOfPaperMapper implements ExceptionMapper<OutOfPaper> {
  @Override
  public Response toResponse(OutOfPaper failure) {
    return Response.status(202).entity("printed later").build();
  }
}
