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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response that passes through until it is told to keep its body. */
final class BufferedResponse extends HttpServletResponseWrapper {
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

  /** The response as it was written. */
  Answer answer(String fingerprint) {
    if (writer != null) {
      writer.flush();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : Answer.STORED) {
      String value = name.equals("Content-Type") ? getContentType() : getHeader(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return new Answer(fingerprint, getStatus(), headers, body.toByteArray());
  }

  /** Writes a body with what headers were set. */
  void send(byte[] bytes) throws IOException {
    HttpServletResponse to = (HttpServletResponse) getResponse();
    to.setContentLength(bytes.length);
    to.getOutputStream().write(bytes);
    to.flushBuffer();
  }

  /** Writes an answer instead of all that was set and written. */
  void replace(Answer answer) throws IOException {
    HttpServletResponse to = (HttpServletResponse) getResponse();
    to.reset();
    to.setStatus(answer.status());
    answer
        .headers()
        .forEach(
            (name, value) -> {
              if (name.equals("Content-Type")) {
                to.setContentType(value);
              } else {
                to.setHeader(name, value);
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
