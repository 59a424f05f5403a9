package io.postbox.crash.load;

import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The console of one server, as an operator's script sees it.
 *
 * @param base the server's
 * @param password with which the demonstration user, who may do everything, logs in
 */
public record Console(URI base, String password) {
  /** For that user. */
  public Console(URI base) {
    this(base, "demonstration");
  }

  /** A member of a list, none of which has an object in it. */
  private static final Pattern ITEM = Pattern.compile("\\{[^{}]*\\}");

  /** Items of a list, a page at a time. */
  private static final String PAGE = "size=100&";

  /**
   * An answer.
   *
   * @param status the HTTP status
   */
  public record Answer(int status, String body) {
    /** Whether it was done. */
    public boolean isDone() {
      return status / 100 == 2;
    }

    /** A member. */
    public String text(String field) {
      return Http.field(body, field);
    }

    long number(String field) {
      return Long.parseLong(text(field));
    }
  }

  /** Asks for something below {@code /postbox/api}. */
  public Answer ask(String method, String address, String body) throws IOException {
    String login =
        Base64.getEncoder()
            .encodeToString(("demonstration:" + password).getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> response =
        Http.send(
            HttpRequest.newBuilder(base.resolve("/postbox/api/" + address))
                .header("Authorization", "Basic " + login)
                .header("X-Postbox", "1")
                .header("Content-Type", "application/json")
                .method(
                    method,
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    return new Answer(response.statusCode(), response.body());
  }

  /** The first hundred that a filter finds. */
  public List<String> items(String address, String filter) throws IOException {
    Answer answer = ask("GET", address + "?" + PAGE + filter, "");
    if (!answer.isDone()) {
      throw new IOException("GET " + address + " answered " + answer);
    }
    String list = answer.body().substring(answer.body().indexOf('['));
    return ITEM.matcher(list).results().map(found -> found.group()).toList();
  }
}
