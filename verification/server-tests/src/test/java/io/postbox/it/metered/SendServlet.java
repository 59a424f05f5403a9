package io.postbox.it.metered;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;

/** Enqueues a message. */
@WebServlet("/send")
public class SendServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient MeteredSender sender;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    sender.send(UUID.randomUUID());
    response.getWriter().print("sent");
  }
}
