package io.postbox.inbox.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A response that passes through until it is told to keep its body. */
final class BufferedResponse extends HttpServletResponseWrapper {
  private static final Set<String> RENEWED =
      Set.of("content-length", "set-cookie", "date", "transfer-encoding");

  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable PrintWriter writer;
  private int limit = -1;
  private boolean tooLong;

  BufferedResponse(HttpServletResponse response) {
    super(response);
  }

  /** Keeps the body from now on, up to so many bytes. */
  void buffer(int bytes) {
    limit = bytes;
  }

  boolean isTooLong() {
    return tooLong;
  }

  /**
   * The response as it was written.
   *
   * @param more headers that are stored beside those of every response
   */
  Answer answer(String fingerprint, String... more) {
    if (writer != null) {
      writer.flush();
    }
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : getHeaderNames()) {
      if (Answer.isStored(name) || Stream.of(more).anyMatch(name::equalsIgnoreCase)) {
        headers.put(name, List.copyOf(getHeaders(name)));
      }
    }
    String type = getContentType();
    if (type != null) {
      headers.put("Content-Type", List.of(type));
    }
    return new Answer(fingerprint, getStatus(), headers, body.toByteArray());
  }

  /** Writes a body with what headers were set. */
  void send(byte[] bytes) throws IOException {
    HttpServletResponse to = (HttpServletResponse) getResponse();
    int status = to.getStatus();
    if (status != 204 && status != 304) { // which have neither body nor length
      to.setContentLength(bytes.length);
      to.getOutputStream().write(bytes);
    }
    to.flushBuffer();
  }

  /**
   * Writes an answer instead of what was written. Headers that are not stored stay, because the
   * application's filters set them for each response; cookies do not. What those filters say that
   * the response depends on stays unless the answer says it.
   */
  void replace(Answer answer) throws IOException {
    HttpServletResponse to = (HttpServletResponse) getResponse();
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(answer.headers().keySet());
    Map<String, List<String>> others = new LinkedHashMap<>();
    for (String name : to.getHeaderNames()) {
      if ((!Answer.isStored(name) || name.equalsIgnoreCase("Vary"))
          && !RENEWED.contains(name.toLowerCase(Locale.ROOT))
          && !names.contains(name)) {
        others.put(name, List.copyOf(to.getHeaders(name)));
      }
    }
    to.reset();
    others.forEach((name, values) -> values.forEach(value -> to.addHeader(name, value)));
    to.setStatus(answer.status());
    answer
        .headers()
        .forEach(
            (name, values) -> {
              if (name.equalsIgnoreCase("Content-Type")) {
                to.setContentType(values.get(0));
              } else {
                values.forEach(value -> to.addHeader(name, value));
              }
            });
    send(answer.body());
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    return limit < 0 ? super.getOutputStream() : new Keeping();
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (limit < 0) {
      return super.getWriter();
    }
    if (writer == null) {
      writer = new PrintWriter(new OutputStreamWriter(new Keeping(), getCharacterEncoding()));
    }
    return writer;
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    if (limit < 0) {
      super.sendError(status, message);
    } else {
      sendError(status);
    }
  }

  @Override
  public void sendError(int status) throws IOException {
    if (limit < 0) {
      super.sendError(status);
    } else {
      body.reset();
      setStatus(status);
    }
  }

  @Override
  public void flushBuffer() throws IOException {
    if (limit < 0) {
      super.flushBuffer();
    }
  }

  @Override
  public void reset() {
    super.reset();
    body.reset();
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    body.reset();
  }

  private final class Keeping extends ServletOutputStream {
    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (body.size() + length > limit) {
        tooLong = true;
      } else {
        body.write(bytes, offset, length);
      }
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new IllegalStateException("The response of an @Idempotent method is synchronous.");
    }
  }
}
