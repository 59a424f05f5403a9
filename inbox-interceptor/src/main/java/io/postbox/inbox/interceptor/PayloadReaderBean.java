package io.postbox.inbox.interceptor;

import io.postbox.common.server.JsonBinding;
import io.postbox.inbox.jms.PayloadReader;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;

/** Has payloads read by the server's JSON-B. */
@ApplicationScoped
class PayloadReaderBean {
  private final JsonBinding json =
      new JsonBinding(
          "Reading a payload as an object needs the server's JSON-B, which it does not have: enable"
              + " the feature jsonb-3.0, or read the message's text.");

  PayloadReader reader() {
    return new PayloadReader(json::read);
  }

  @PreDestroy
  void stop() {
    json.close();
  }
}
