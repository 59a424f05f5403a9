package io.postbox.sample.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tells browsers to run and load nothing but this application's own files. */
@WebFilter("/*")
public class SecurityHeaders implements Filter {
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (response instanceof HttpServletResponse http) {
      http.setHeader(
          "Content-Security-Policy",
          "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
      http.setHeader("X-Content-Type-Options", "nosniff");
      http.setHeader("Referrer-Policy", "no-referrer");
    }
    chain.doFilter(request, response);
  }
}
