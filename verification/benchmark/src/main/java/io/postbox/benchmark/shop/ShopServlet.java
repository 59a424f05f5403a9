package io.postbox.benchmark.shop;

import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;

/** The two requests of the sample with which the benchmark orders and sees how far orders are. */
@WebServlet(
    urlPatterns = {"/api/orders", "/api/totals"},
    loadOnStartup = 1)
public class ShopServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Shop shop;

  @Override
  public void init() throws ServletException {
    try {
      shop.createTables();
    } catch (SQLException failed) {
      throw new ServletException("The tables were not made", failed);
    }
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try (JsonReader reader = Json.createReader(request.getReader())) {
      JsonObject order = reader.readObject();
      long id = shop.order(order.getString("sku"), order.getInt("quantity"));
      response.setStatus(HttpServletResponse.SC_CREATED);
      answer(response, "{\"orderId\":%s}".formatted(id));
    } catch (SQLException failed) {
      throw new ServletException("Nothing was ordered", failed);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      answer(response, shop.totals());
    } catch (SQLException failed) {
      throw new ServletException("Nothing can be counted", failed);
    }
  }

  private static void answer(HttpServletResponse response, String json) throws IOException {
    response.setContentType("application/json");
    response.getWriter().print(json);
  }
}
