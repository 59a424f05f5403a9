package io.postbox.inbox.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request whose body is digested while it is read. */
final class DigestingRequest extends HttpServletRequestWrapper {
  private final MessageDigest body = sha256();
  private @Nullable ServletInputStream stream;

  DigestingRequest(HttpServletRequest request) {
    super(request);
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (stream == null) {
      stream = new Digesting(super.getInputStream());
    }
    return stream;
  }

  /**
   * The fingerprint of method, path, query, content type and body; reads the rest of the body. The
   * server itself may have read a form, so its fields are added.
   */
  String fingerprint() throws IOException {
    Map<String, String[]> fields = isForm() ? getParameterMap() : Map.of();
    ServletInputStream rest = getInputStream();
    byte[] buffer = new byte[8_192];
    while (!rest.isFinished() && rest.read(buffer) >= 0) {}
    List<@Nullable String> parts = new ArrayList<>();
    parts.add(getMethod());
    parts.add(getRequestURI());
    parts.add(getQueryString());
    parts.add(getContentType());
    parts.add(HexFormat.of().formatHex(body.digest()));
    new TreeMap<>(fields).forEach((name, values) -> parts.add(sha256(name, sha256(values))));
    return sha256(parts.toArray(String[]::new));
  }

  private boolean isForm() {
    String type = getContentType();
    return type != null
        && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
  }

  /** The SHA-256 over texts, each behind its length, in hexadecimal. */
  static String sha256(@Nullable String... parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = (part == null ? "" : part).getBytes(StandardCharsets.UTF_8);
      digest.update(((part == null ? -1 : bytes.length) + ":").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }

  private final class Digesting extends ServletInputStream {
    private final ServletInputStream in;
    private boolean ended;

    private Digesting(ServletInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      if (read < 0) {
        ended = true;
      } else {
        body.update((byte) read);
      }
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      if (read < 0) {
        ended = true;
      } else {
        body.update(bytes, offset, read);
      }
      return read;
    }

    @Override
    public boolean isFinished() {
      return ended || in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }
  }
}
