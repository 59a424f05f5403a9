package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.ops.AuditQueries;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditQueriesTest {
  private static final AuditFilter ALL = AuditFilter.all();

  @ParameterizedTest
  @EnumSource
  void anActionIsListedWithWhoWhenWhyWhatAndHowMany(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 2);
    AuditQueries queries =
        new AuditQueries(fixture.calls(fixture.dataSource), fixture.config.tables());
    assertThat(queries.find(ALL, "", 10).items()).isEmpty();
    fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, KeptFixture.WHO, "why not");

    AuditEntry entry = queries.find(ALL.action("redrive"), "", 10).items().get(0);
    assertThat(entry)
        .isEqualTo(
            new AuditEntry(
                entry.id(),
                entry.at(),
                "inbox",
                "shop",
                "redrive",
                KeptFixture.WHO,
                "why not",
                entry.subject(),
                2));
    assertThat(queries.find(ALL.principal("eve"), "", 10).items()).isEmpty();
    fixture.run("DROP TABLE shop.pb_postbox_audit");
    assertThatThrownBy(() -> queries.find(ALL, "", 10))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith("The audit trail cannot be read: ");
  }
}
