package io.postbox.sample.web;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An order as a customer sends it. Read field by field rather than bound, so that each answer to a
 * mistake names the field.
 *
 * @param sku the article
 * @param quantity how many
 */
public record OrderRequest(String sku, int quantity) {
  /** More octets than this are no order. */
  static final int LONGEST_BODY = 4_096;

  /** So deep may what is ignored be nested, the order itself included. */
  private static final int DEEPEST = 20;

  private static final System.Logger LOG = System.getLogger(OrderRequest.class.getName());
  private static final int LARGEST_QUANTITY = 1_000;
  private static final Pattern SKU = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");
  private static final String SKU_RULE =
      "must be a text of 1 to 40 letters, digits, '.', '_' or '-', beginning with a letter or"
          + " digit";
  private static final String QUANTITY_RULE =
      "must be a whole number from 1 to " + LARGEST_QUANTITY;
  private static final String EXAMPLE = "{\"sku\":\"BOOK-1\",\"quantity\":2}";

  /**
   * Reads an order.
   *
   * @param body JSON in UTF-8
   * @throws BadInputException if it is not an order, naming what is wrong
   */
  static OrderRequest parse(byte[] body) {
    JsonObject order = object(body);
    return new OrderRequest(sku(order), quantity(order));
  }

  private static JsonObject object(byte[] body) {
    if (body.length == 0) {
      throw new BadInputException("The body is empty. Send an order, such as " + EXAMPLE);
    }
    if (body.length > LONGEST_BODY) {
      throw new BadInputException(
          "The body has more than " + LONGEST_BODY + " bytes. An order looks like " + EXAMPLE);
    }
    try (JsonParser json = Json.createParser(new ByteArrayInputStream(body))) {
      refuseDeepNesting(body);
      if (json.next() == Event.START_OBJECT) {
        JsonObject order = json.getObject();
        if (!json.hasNext()) { // which throws if something else follows
          return order;
        }
      }
      throw notAnObject(null);
    } catch (JsonException | IllegalStateException | NoSuchElementException e) {
      throw notAnObject(e);
    }
  }

  private static BadInputException notAnObject(@Nullable RuntimeException cause) {
    LOG.log(Level.DEBUG, "Refused a body", cause);
    return new BadInputException("The body is not a JSON object. An order looks like " + EXAMPLE);
  }

  /** Before it is read as a whole: parsers differ in their reaction, down to a stack overflow. */
  private static void refuseDeepNesting(byte[] body) {
    try (JsonParser json = Json.createParser(new ByteArrayInputStream(body))) {
      int depth = 0;
      while (json.hasNext()) {
        Event event = json.next();
        if (event == Event.START_OBJECT || event == Event.START_ARRAY) {
          depth++;
        } else if (event == Event.END_OBJECT || event == Event.END_ARRAY) {
          depth--;
        }
        if (depth > DEEPEST) {
          throw new BadInputException(
              "The body is nested more than " + DEEPEST + " deep. An order looks like " + EXAMPLE);
        }
      }
    }
  }

  private static String sku(JsonObject order) {
    JsonValue value = order.get("sku");
    if (value instanceof JsonString text && SKU.matcher(text.getString()).matches()) {
      return text.getString();
    }
    throw wrong("sku", value, SKU_RULE);
  }

  private static int quantity(JsonObject order) {
    JsonValue value = order.get("quantity");
    if (value instanceof JsonNumber number) {
      BigDecimal decimal = number.bigDecimalValue();
      // Compared as a decimal: 1e999999999 written out as an integer would fill the memory.
      if (decimal.scale() == 0
          && decimal.signum() > 0
          && decimal.compareTo(BigDecimal.valueOf(LARGEST_QUANTITY)) <= 0) {
        return decimal.intValueExact();
      }
    }
    throw wrong("quantity", value, QUANTITY_RULE);
  }

  private static BadInputException wrong(String field, @Nullable JsonValue value, String rule) {
    Object shown = value instanceof JsonString text ? text.getString() : value;
    return new BadInputException(field, shown, rule);
  }
}
