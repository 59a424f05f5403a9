package io.postbox.sample.web;

import jakarta.json.Json;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers requests that the server refuses before they reach the API, in the API's form instead of
 * the server's own page. Named in web.xml.
 */
@WebServlet("/error")
public class ServerErrors extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    // A request for this address itself carries no error: there is nothing here.
    int code = status instanceof Integer number ? number : HttpServletResponse.SC_NOT_FOUND;
    response.setStatus(code);
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response
        .getWriter()
        .print(Json.createObjectBuilder().add("error", sentence(code)).build().toString());
  }

  private static String sentence(int code) {
    if (code == HttpServletResponse.SC_NOT_FOUND) {
      return "There is nothing at this address.";
    }
    return code < 500
        ? "The server does not understand this request."
        : "The request failed, and whether it took effect is not known.";
  }
}
