package io.postbox.inbox.interceptor;

import io.postbox.inbox.jms.PayloadReader;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;

/** Has payloads read by the server's JSON-B. */
@ApplicationScoped
class PayloadReaderBean {
  private final JsonbReader json = new JsonbReader();

  PayloadReader reader() {
    return new PayloadReader(json);
  }

  @PreDestroy
  void stop() {
    json.close();
  }
}
