package io.postbox.inbox.ops;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * The module's class loader with one more resource, held in memory: the mapping file that carries
 * the configured table names.
 */
final class MappingFile extends ClassLoader {
  static final String NAME = "META-INF/postbox/inbox-orm.xml";

  private final byte[] content;

  MappingFile(ClassLoader module, String content) {
    super(module);
    this.content = content.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public URL getResource(String name) {
    return name.equals(NAME) ? url() : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return name.equals(NAME) ? Collections.enumeration(List.of(url())) : super.getResources(name);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    return name.equals(NAME) ? new ByteArrayInputStream(content) : super.getResourceAsStream(name);
  }

  private URL url() {
    try {
      return new URL(null, "postbox:" + NAME, new InMemory());
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private final class InMemory extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {
          connected = true;
        }

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(content);
        }
      };
    }
  }
}
