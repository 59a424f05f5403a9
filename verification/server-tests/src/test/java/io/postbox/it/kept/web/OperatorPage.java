package io.postbox.it.kept.web;

import io.postbox.common.PlanRefusedException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.ParkedMessages;
import io.postbox.it.kept.Operator;
import jakarta.inject.Inject;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A page behind a log-in, which discards directly and by way of an enterprise bean. */
@WebServlet("/discard")
public class OperatorPage extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient ParkedMessages parked;
  @Inject transient Operator operator;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    String foreign = request.getParameter("foreign");
    request.login("ada", "secret");
    if (foreign != null) {
      KeptPlan plan = parked.plan(KeptFilter.all().messageId(foreign));
      request.logout();
      try {
        parked.discard(plan, "by nobody");
      } catch (PlanRefusedException refused) {
        response.getWriter().print(refused.getMessage());
      }
      return;
    }
    parked.discard(parked.plan(KeptFilter.all().messageId("by-page")), "by page");
    operator.discard("by-bean", "by bean");
    request.logout();
    parked.discard(parked.plan(KeptFilter.all().messageId("by-nobody")), "by nobody");
    response.getWriter().print("done");
  }
}
