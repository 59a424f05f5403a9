package io.postbox.console.http;

import jakarta.inject.Inject;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers what the server refuses by itself, in the API's form instead of the server's own page.
 * Named in web.xml.
 */
@WebServlet("/error")
public class ErrorServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient ConsoleSettings settings;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    // A request for this address itself carries no error: there is nothing here.
    int code = status instanceof Integer number ? number : HttpServletResponse.SC_NOT_FOUND;
    if (settings.enabled()) {
      ConsoleFilter.send(response, Problem.ofStatus(code));
    } else {
      response.setHeader("WWW-Authenticate", null); // nobody has to log in to see nothing
      ConsoleFilter.send(response, Problem.off());
    }
  }
}
