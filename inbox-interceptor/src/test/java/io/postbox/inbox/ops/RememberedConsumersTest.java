package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.RetentionStore;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RememberedConsumersTest {

  @ParameterizedTest
  @EnumSource
  void eachConsumerWithIdsIsNamedOnce(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    for (String consumer : new String[] {"shipping", "Z\u00fcrich", "billing", "shipping"}) {
      fixture.handle(TestDelivery.of(consumer + "-1").to(consumer).delivery());
    }
    fixture.handle(TestDelivery.of("another").to("shipping").delivery());

    try (Connection connection = fixture.dataSource.getConnection()) {
      assertThat(
              new RetentionStore(Dialect.of(connection, "inbox"), fixture.config.tables())
                  .consumers(connection, Kept.MESSAGE))
          .containsExactlyInAnyOrder("billing", "shipping", "Z\u00fcrich");
    }
  }
}
