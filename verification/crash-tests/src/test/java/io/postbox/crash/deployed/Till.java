package io.postbox.crash.deployed;

import io.postbox.inbox.http.Idempotent;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Pays, once for each key. */
@Path("payments")
@ApplicationScoped
public class Till {
  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource source;

  /** Answers once the application is there. */
  @GET
  public String ready() {
    return "ready";
  }

  /** Pays, and responds with a new number each time it runs. */
  @POST
  @Idempotent(value = "till", anonymous = true)
  public Response pay(String what) throws SQLException {
    String number = UUID.randomUUID().toString();
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO payment (number, what) VALUES (?, ?)")) {
      insert.setString(1, number);
      insert.setString(2, what);
      insert.executeUpdate();
    }
    return Response.created(URI.create("payments/" + number)).entity(number).build();
  }
}
