package io.postbox.console.http;

import jakarta.json.JsonObject;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.util.Optional;

/**
 * Answers a list as comma-separated values where the address says {@code format=csv}. A header then
 * carries the start of the next page. Any other answer stays as it is.
 */
@Provider
public class CsvFilter implements ContainerRequestFilter, ContainerResponseFilter {
  /** The header of the answer with {@code after} of the next page, if there is one. */
  static final String NEXT = "X-Postbox-Next";

  private static final String CSV = "csv";
  private static final MediaType TEXT_CSV = new MediaType("text", CSV).withCharset("UTF-8");

  @Override
  public void filter(ContainerRequestContext request) {
    Optional<String> format;
    try {
      format = format(request.getUriInfo());
    } catch (IllegalArgumentException unreadable) {
      throw Problem.invalid(
          "A value in the address has a % that two hexadecimal digits of UTF-8 do not follow.",
          "Encode the value, a % itself as %25.");
    }
    if (format.isPresent() && !format.get().equals(CSV) && !format.get().equals("json")) {
      throw Problem.invalid("A list has no such format.", "Leave format out, or give csv or json.");
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext answer) {
    UriInfo address = request.getUriInfo();
    if (answer.getStatus() != 200
        || format(address).filter(CSV::equals).isEmpty()
        || !(answer.getEntity() instanceof String text)) {
      return;
    }
    JsonObject page = Json.read(text).asJsonObject();
    if (!page.containsKey("items")) {
      return;
    }
    answer.setEntity(Csv.of(page.getJsonArray("items")), new Annotation[0], TEXT_CSV);
    answer
        .getHeaders()
        .putSingle(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"" + fileName(address.getPath()) + ".csv\"");
    if (page.containsKey("next")) {
      answer.getHeaders().putSingle(NEXT, page.getString("next"));
    }
  }

  /** The list's name, and nothing else of what somebody has linked to. */
  static String fileName(String path) {
    String resource = path.replaceFirst("(?s);.*", "").replaceFirst("/+$", "");
    String last = resource.substring(resource.lastIndexOf('/') + 1);
    return last.matches("[a-z-]+") ? last : "list";
  }

  private static Optional<String> format(UriInfo address) {
    return Optional.ofNullable(address.getQueryParameters().getFirst("format"));
  }
}
