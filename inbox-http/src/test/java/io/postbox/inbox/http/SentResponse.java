package io.postbox.inbox.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** What a container would send. */
final class SentResponse {
  final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  final ByteArrayOutputStream body = new ByteArrayOutputStream();
  int status = 200;

  HttpServletResponse response() {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            SentResponse.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (self, method, with) ->
                switch (method.getName()) {
                  case "setHeader" -> headers.put((String) with[0], List.of((String) with[1]));
                  case "addHeader" ->
                      headers
                          .computeIfAbsent((String) with[0], name -> new ArrayList<>())
                          .add((String) with[1]);
                  case "setContentType" -> headers.put("Content-Type", List.of((String) with[0]));
                  case "setContentLength" ->
                      headers.put("Content-Length", List.of(String.valueOf(with[0])));
                  case "getContentType" -> header("Content-Type");
                  case "getHeaders" -> headers.getOrDefault((String) with[0], List.of());
                  case "getHeaderNames" -> List.copyOf(headers.keySet());
                  case "setStatus" -> status = (int) with[0];
                  case "getStatus" -> status;
                  case "getCharacterEncoding" -> "UTF-8";
                  case "reset" -> clear();
                  case "getOutputStream" -> stream();
                  case "flushBuffer" -> null;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Object clear() {
    headers.clear();
    body.reset();
    status = 200;
    return this;
  }

  private ServletOutputStream stream() {
    return new ServletOutputStream() {
      @Override
      public void write(int octet) {
        body.write(octet);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        throw new UnsupportedOperationException();
      }
    };
  }

  /** The only value of a header, or null. */
  String header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? null : values.get(0);
  }

  /** The body as a client reads it. */
  String read() throws IOException {
    byte[] bytes = body.toByteArray();
    if (headers.containsKey("Content-Encoding")) {
      bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
