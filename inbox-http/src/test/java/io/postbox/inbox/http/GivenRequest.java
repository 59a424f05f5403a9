package io.postbox.inbox.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a container has received. */
final class GivenRequest {
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final ByteArrayInputStream body;
  private @Nullable List<Part> parts;
  private @Nullable Principal caller;

  GivenRequest(String contentType, byte[] bytes) {
    header("Content-Type", contentType);
    body = new ByteArrayInputStream(bytes);
  }

  GivenRequest header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Has the container know who calls. */
  GivenRequest as(@Nullable String name) {
    caller = name == null ? null : () -> name;
    return this;
  }

  HttpServletRequest request() {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            GivenRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (self, method, with) ->
                switch (method.getName()) {
                  case "getMethod" -> "POST";
                  case "getRequestURI" -> "/api/payments";
                  case "getQueryString" -> null;
                  case "getUserPrincipal" -> caller;
                  case "getContentType" -> headers.get("Content-Type");
                  case "getCharacterEncoding" -> "UTF-8";
                  case "getHeader" -> headers.get((String) with[0]);
                  case "getHeaders" ->
                      Collections.enumeration(
                          headers.containsKey((String) with[0])
                              ? List.of(headers.get((String) with[0]))
                              : List.<String>of());
                  case "getInputStream" -> stream();
                  case "getReader" ->
                      new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                  case "getParts" -> readParts();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Has the server read the body, and make these parts of it. */
  GivenRequest parts(Map<String, String> contents) {
    parts = contents.entrySet().stream().map(it -> part(it.getKey(), it.getValue())).toList();
    return this;
  }

  private List<Part> readParts() {
    if (parts == null) {
      throw new IllegalStateException("The servlet accepts no multipart requests.");
    }
    return parts;
  }

  private static Part part(String name, String content) {
    return (Part)
        Proxy.newProxyInstance(
            GivenRequest.class.getClassLoader(),
            new Class<?>[] {Part.class},
            (self, method, with) ->
                switch (method.getName()) {
                  case "getHeaderNames" -> List.of("Content-Disposition");
                  case "getHeaders" -> List.of("form-data; name=" + name);
                  case "getInputStream" ->
                      new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private ServletInputStream stream() {
    return new ServletInputStream() {
      @Override
      public int read() {
        return body.read();
      }

      @Override
      public boolean isFinished() {
        return body.available() == 0;
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setReadListener(ReadListener listener) {
        throw new UnsupportedOperationException();
      }
    };
  }
}
