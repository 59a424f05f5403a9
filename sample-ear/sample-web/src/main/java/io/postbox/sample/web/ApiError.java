package io.postbox.sample.web;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * An error as the caller sees it; a part that is {@code null} is left out of the JSON.
 *
 * @param error the mistake and the remedy, for people
 * @param field the field or parameter that is wrong
 * @param value its value as text, shortened
 */
public record ApiError(String error, @Nullable String field, @Nullable String value) {
  ApiError(String error) {
    this(error, null, null);
  }

  Response.ResponseBuilder as(int status) {
    return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(this);
  }
}
