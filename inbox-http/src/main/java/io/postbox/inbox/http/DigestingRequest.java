package io.postbox.inbox.http;

import io.postbox.common.text.Digests;
import io.postbox.inbox.http.BodyDigest.Multipart;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request whose body is digested while it is read. */
final class DigestingRequest extends HttpServletRequestWrapper {
  private final Optional<Multipart> multipart;
  private final BodyDigest body;
  private @Nullable ServletInputStream stream;
  private @Nullable BufferedReader reader;

  DigestingRequest(HttpServletRequest request) {
    super(request);
    multipart = Multipart.of(request.getContentType());
    body = new BodyDigest(multipart);
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (stream == null) {
      stream = new Digesting(super.getInputStream());
    }
    return stream;
  }

  /** The server's own would read past the digest. */
  @Override
  public BufferedReader getReader() throws IOException {
    if (reader == null) {
      String encoding = getCharacterEncoding();
      reader =
          new BufferedReader(
              new InputStreamReader(getInputStream(), encoding == null ? "ISO-8859-1" : encoding));
    }
    return reader;
  }

  /**
   * The fingerprint of method, path, query, content type and body; reads the rest of the body. The
   * server itself may have read a form, so its fields or parts are added.
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
    parts.add(multipart.map(Multipart::withoutBoundary).orElseGet(this::getContentType));
    parts.add(body.end());
    if (multipart.isPresent()) {
      parts.add("parts");
      parts.addAll(partsReadByServer());
    }
    new TreeMap<>(fields).forEach((name, values) -> parts.add(sha256(name, sha256(values))));
    return sha256(parts.toArray(String[]::new));
  }

  /** A servlet with a configuration for multipart requests has them read before the method. */
  private List<String> partsReadByServer() throws IOException {
    List<String> digests = new ArrayList<>();
    if (body.hasBytes()) {
      return digests;
    }
    try {
      for (Part part : getParts()) {
        List<@Nullable String> all = new ArrayList<>();
        for (String name : part.getHeaderNames()) {
          all.add(name);
          all.addAll(part.getHeaders(name));
        }
        BodyDigest content = new BodyDigest(Optional.empty());
        try (InputStream in = part.getInputStream()) {
          byte[] buffer = new byte[8_192];
          for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            content.update(buffer, 0, read);
          }
        }
        all.add(content.end());
        digests.add(sha256(all.toArray(String[]::new)));
      }
    } catch (IllegalStateException | ServletException notByTheServer) {
      digests.clear(); // it has no such configuration, so the body is empty
    }
    return digests;
  }

  private boolean isForm() {
    String type = getContentType();
    return type != null
        && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
  }

  /** The SHA-256 over texts, each behind its length, in hexadecimal. */
  static String sha256(@Nullable String... parts) {
    MessageDigest digest = Digests.sha256();
    for (String part : parts) {
      byte[] bytes = (part == null ? "" : part).getBytes(StandardCharsets.UTF_8);
      digest.update(((part == null ? -1 : bytes.length) + ":").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private final class Digesting extends ServletInputStream {
    private final ServletInputStream in;
    private boolean ended;

    private Digesting(ServletInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] octet = new byte[1];
      return read(octet, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(octet[0]);
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
