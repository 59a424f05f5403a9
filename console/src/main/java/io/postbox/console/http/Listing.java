package io.postbox.console.http;

import jakarta.json.JsonValue;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.function.Function;

/** One page of a list, as the address asks for it. */
public final class Listing {
  private final String name;
  private final Query query;
  private final int size;

  private Listing(String name, Query query) {
    this.name = name;
    this.query = query;
    size = query.size();
  }

  /**
   * Reads the address.
   *
   * @param name the list's, for the place at which the next page goes on
   * @param filter the names that the list takes beside those of a page
   */
  public static Listing of(UriInfo address, String name, String... filter) {
    return new Listing(name, Query.of(address.getQueryParameters(), Query.paged(filter)));
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

  /** Where the page goes on; empty at the beginning. */
  public String after() {
    return query.after(name).orElse("");
  }

  /** The same where the place is a number; 0 at the beginning. */
  public long afterNumber() {
    return query.afterNumber(name);
  }

  /**
   * The page.
   *
   * @param found up to {@link #oneMore} items
   * @param place of an item
   */
  public <T> Json page(
      List<T> found, Function<? super T, ?> place, Function<? super T, ? extends JsonValue> form) {
    return page(found.subList(0, Math.min(size, found.size())), found.size() > size, place, form);
  }

  /**
   * The page of a list that cannot be asked for one item more: the last page may be empty.
   *
   * @param items up to {@link #size} items
   */
  public <T> Json fullPage(
      List<T> items, Function<? super T, ?> place, Function<? super T, ? extends JsonValue> form) {
    return page(items, items.size() == size, place, form);
  }

  private <T> Json page(
      List<T> items,
      boolean more,
      Function<? super T, ?> place,
      Function<? super T, ? extends JsonValue> form) {
    Json page = Json.object().put("items", Json.array(items, form));
    return more
        ? page.put("next", Query.cursor(name, place.apply(items.get(items.size() - 1))))
        : page;
  }
}
