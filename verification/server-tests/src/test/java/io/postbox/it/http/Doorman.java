package io.postbox.it.http;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/** Believes whoever names themselves, as a filter of JAX-RS that checks tokens. */
@Provider
public class Doorman implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    String name = request.getHeaderString("X-Doorman");
    if (name == null) {
      return;
    }
    SecurityContext before = request.getSecurityContext();
    request.setSecurityContext(
        new SecurityContext() {
          @Override
          public Principal getUserPrincipal() {
            return () -> name;
          }

          @Override
          public boolean isUserInRole(String role) {
            return before.isUserInRole(role);
          }

          @Override
          public boolean isSecure() {
            return before.isSecure();
          }

          @Override
          public String getAuthenticationScheme() {
            return "doorman";
          }
        });
  }
}
