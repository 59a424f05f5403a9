package io.postbox.it.redeploy.web;

import io.postbox.inbox.InboxRequest;
import io.postbox.it.redeploy.Correspondent;
import io.postbox.it.redeploy.Listener;
import jakarta.ejb.EJBException;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;

/**
 * For a test that runs outside. {@code /write?to=destination&number=20} enqueues; {@code /write}
 * receives a message, fails at another, and answers how many events it has heard of; {@code
 * /write?discard=true} has a message quarantined and starts to discard it, and {@code
 * /write?quarantined=true} answers how many are left.
 */
@WebServlet("/write")
public class WriteServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient Correspondent correspondent;
  @Inject transient Listener listener;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getParameter("discard") != null) {
      keepAside();
      correspondent.discard();
      return;
    }
    if (request.getParameter("quarantined") != null) {
      response.getWriter().print(correspondent.quarantined());
      return;
    }
    if (request.getParameter("to") == null) {
      receive();
      response.getWriter().print(listener.heard());
      return;
    }
    for (int i = Integer.parseInt(request.getParameter("number")); i > 0; i--) {
      correspondent.writeTo(request.getParameter("to"));
    }
  }

  private void receive() {
    correspondent.receive(request());
    try {
      correspondent.refuse(request());
      throw new IllegalStateException("It was to fail");
    } catch (EJBException refused) {
      log("As it should be", refused);
    }
  }

  private void keepAside() {
    String id = UUID.randomUUID().toString();
    correspondent.receive(InboxRequest.of("desk", id).text("one"));
    try {
      correspondent.receive(InboxRequest.of("desk", id).text("another"));
    } catch (EJBException quarantined) {
      log("As it should be", quarantined);
    }
  }

  private static InboxRequest request() {
    return InboxRequest.of("desk", UUID.randomUUID().toString()).text("hello");
  }
}
