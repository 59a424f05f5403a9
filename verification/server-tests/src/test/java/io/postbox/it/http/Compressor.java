package io.postbox.it.http;

import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Compresses whatever the client accepts. */
@Provider
@Compressed
public class Compressor implements WriterInterceptor {
  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    context.getHeaders().putSingle("Content-Encoding", "gzip");
    context.getHeaders().putSingle("Vary", "Accept-Encoding");
    GZIPOutputStream compressing = new GZIPOutputStream(context.getOutputStream());
    context.setOutputStream(compressing);
    context.proceed();
    compressing.finish();
  }
}
