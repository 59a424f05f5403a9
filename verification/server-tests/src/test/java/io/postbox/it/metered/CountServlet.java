package io.postbox.it.metered;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Adds the registry at the first call, and shows how many messages were enqueued since. */
@WebServlet("/count")
public class CountServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient Publisher publisher;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    publisher.begin();
    response
        .getWriter()
        .print(publisher.registry().get("postbox.outbox.enqueued").counter().count());
  }
}
