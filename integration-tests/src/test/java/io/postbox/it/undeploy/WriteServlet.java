package io.postbox.it.undeploy;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Enqueues for a test that runs outside: {@code /write?to=destination&number=20}. */
@WebServlet("/write")
public class WriteServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient Correspondent correspondent;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    for (int i = Integer.parseInt(request.getParameter("number")); i > 0; i--) {
      correspondent.writeTo(request.getParameter("to"));
    }
  }
}
