package io.postbox.it.letters.web;

import io.postbox.it.letters.Operator;
import io.postbox.outbox.RelayControl;
import jakarta.inject.Inject;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A page behind a log-in, which pauses directly and by way of an enterprise bean. */
@WebServlet("/pause")
public class OperatorPage extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient RelayControl relay;
  @Inject transient Operator operator;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    request.login("ada", "secret");
    relay.pause("by-page", "x");
    operator.pause("by-bean", "x");
    request.logout();
    response.getWriter().print("done");
  }
}
