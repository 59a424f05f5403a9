package io.postbox.console.http;

import jakarta.enterprise.context.RequestScoped;

/** The fields of the request's body; none if it has no body. */
@RequestScoped
public class RequestBody {
  private Fields fields = Fields.NONE;

  void set(Fields read) {
    fields = read;
  }

  /** The fields. */
  public Fields fields() {
    return fields;
  }
}
