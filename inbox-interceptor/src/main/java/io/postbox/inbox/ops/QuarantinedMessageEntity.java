package io.postbox.inbox.ops;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A quarantined delivery as the operations queries see it: never its payload. */
@Entity(name = "QuarantinedMessage")
@Table(name = "inbox_quarantine")
class QuarantinedMessageEntity {
  @Id
  @Column(name = "id")
  long id;

  @Column(name = "consumer")
  String consumer = "";
}
