package io.postbox.console.http;

import io.postbox.common.LookupPage;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** One page of a list, as the address asks for it. */
public final class Listing {
  private static final int DEFAULT_SIZE = 50;
  private static final int LARGEST_SIZE = 100;

  private final String name;
  private final Query query;
  private final int size;

  Listing(String name, Query query) {
    this.name = name;
    this.query = query;
    size = query.text("size").map(Listing::size).orElse(DEFAULT_SIZE);
  }

  private static int size(String value) {
    int size = value.matches("[0-9]{1,3}") ? Integer.parseInt(value) : 0;
    if (size < 1 || size > LARGEST_SIZE) {
      throw Problem.invalid(
          "A page has 1 to %s items.".formatted(LARGEST_SIZE),
          "Leave size out, or give such a number.");
    }
    return size;
  }

  /**
   * Reads the address.
   *
   * @param name the list's, for the place at which the next page goes on
   * @param filter the names that the list takes beside those of a page
   */
  public static Listing of(UriInfo address, String name, String... filter) {
    String[] known =
        Stream.concat(Stream.of(filter), Stream.of("size", "after", "format"))
            .toArray(String[]::new);
    return new Listing(name, Query.of(address.getQueryParameters(), known));
  }

  /** The request's query. */
  public Query query() {
    return query;
  }

  /** How many items the page has. */
  public int size() {
    return size;
  }

  /** How many items to read for {@link #page}: one more tells whether there is another page. */
  public int oneMore() {
    return size + 1;
  }

  /** Where the page goes on, as {@link #cursor} has written it; empty at the beginning. */
  public String after() {
    return query.text("after").map(this::place).orElse("");
  }

  /** The same where the place is a number; 0 at the beginning. */
  public long afterNumber() {
    String place = query.text("after").map(this::place).orElse("0");
    if (!place.matches("[0-9]{1,18}")) {
      throw notOurs();
    }
    return Long.parseLong(place);
  }

  private String place(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      if (text.startsWith(name + ":")) {
        return text.substring(name.length() + 1);
      }
    } catch (IllegalArgumentException unreadable) {
      throw notOurs();
    }
    throw notOurs();
  }

  /** The problem of a place that this list has not given. */
  public static Problem notOurs() {
    return Problem.invalid(
        "This is no place at which this list goes on.",
        "Use next of the page before, or leave after out.");
  }

  /** Where the next page goes on. */
  public String cursor(Object place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((name + ":" + place).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The page.
   *
   * @param found up to {@link #oneMore} items
   * @param place of an item
   */
  public <T> Json page(
      List<T> found, Function<? super T, ?> place, Function<? super T, Json> form) {
    return page(found.subList(0, Math.min(size, found.size())), found.size() > size, place, form);
  }

  /**
   * The page of a list that cannot be asked for one item more: the last page may be empty.
   *
   * @param items up to {@link #size} items
   */
  public <T> Json fullPage(
      List<T> items, Function<? super T, ?> place, Function<? super T, Json> form) {
    return page(items, items.size() == size, place, form);
  }

  /** The page of a lookup, which says itself where the next one begins. */
  public <T> Json page(LookupPage<T> found, Function<? super T, Json> form) {
    return Json.object()
        .put("items", found.items(), form)
        .put("next", found.next().map(this::cursor));
  }

  private <T> Json page(
      List<T> items, boolean more, Function<? super T, ?> place, Function<? super T, Json> form) {
    Json page = Json.object().put("items", items, form);
    return more ? page.put("next", cursor(place.apply(items.get(items.size() - 1)))) : page;
  }
}
