package io.postbox.it.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/** Believes whoever names themselves, as a filter of servlets that checks tokens. */
@WebFilter("/api/*")
public class Usher extends HttpFilter {
  private static final long serialVersionUID = 1;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String name = request.getHeader("X-Usher");
    chain.doFilter(
        name == null
            ? request
            : new HttpServletRequestWrapper(request) {
              @Override
              public Principal getUserPrincipal() {
                return () -> name;
              }
            },
        response);
  }
}
