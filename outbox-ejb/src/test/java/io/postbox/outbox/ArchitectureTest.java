package io.postbox.outbox;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.testing.MachineTexts;
import java.sql.Connection;
import java.util.Set;
import java.util.TreeSet;

/** The rooms of the module, and the doors between them. */
@AnalyzeClasses(
    packages = "io.postbox.outbox",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  private static final String HERE = "io.postbox.outbox";
  private static final Set<String> STATEMENTS =
      Set.of("prepareStatement", "createStatement", "prepareCall");

  @ArchTest
  static final ArchRule everySqlStatementIsInTheStore =
      noClasses()
          .that()
          .resideOutsideOfPackage("..store..")
          .should()
          .callMethodWhere(
              describe(
                  "an SQL statement is made",
                  (JavaMethodCall call) ->
                      call.getTargetOwner().isAssignableTo(Connection.class)
                          && STATEMENTS.contains(call.getName())));

  @ArchTest
  static final ArchRule nobodyNeedsAPersistenceProvider =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta.persistence..", "org.eclipse.persistence..");

  @ArchTest
  static final ArchRule theRoomsAreFreeOfCycles =
      slices().matching(HERE + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule whatAUserSeesKnowsNothingBehindIt =
      classes()
          .that()
          .resideInAPackage(HERE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(HERE, "io.postbox.common", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule configurationKnowsMicroProfileConfigAndNothingElse =
      classes()
          .that()
          .resideInAPackage("..config..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              HERE + ".config..",
              "io.postbox.common.config..",
              "java..",
              "org.jspecify..",
              "org.eclipse.microprofile.config..");

  @ArchTest
  static final ArchRule messagesKnowJsonAndNothingElse =
      classes()
          .that()
          .resideInAPackage("..message..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(HERE + ".message..", "java..", "org.jspecify..", "jakarta.json..");

  @ArchTest
  static final ArchRule theRelayKnowsNoServer =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..relay..", "..store..", "..enqueue..", "..encryption..", "..payload..", "..log..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta..", "org.eclipse.microprofile..");

  @ArchTest
  static final ArchRule onlyTheShellKnowsTheServersComponents =
      noClasses()
          .that()
          .resideOutsideOfPackage("..server..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "jakarta.ejb..",
              "jakarta.enterprise..",
              "jakarta.inject..",
              "jakarta.annotation..",
              "io.opentelemetry..",
              "io.micrometer..",
              "org.eclipse.microprofile.metrics..",
              "org.eclipse.microprofile.health..");

  @ArchTest
  static final ArchRule nobodyKnowsTheShell =
      noClasses()
          .that()
          .resideOutsideOfPackage("..server..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..server..");

  @ArchTest
  static final ArchRule onlyTheSendersKnowJms =
      noClasses()
          .that(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("..jms..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.jms..");

  /** All of these but those without a room are public only because another room needs them. */
  @ArchTest
  static void nothingElseIsPublic(JavaClasses classes) {
    Set<String> found =
        classes.stream()
            .filter(it -> it.isTopLevelClass() && it.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(it -> !it.getPackageName().matches(".*\\.(server|ops)"))
            .map(it -> it.getName().substring(HERE.length() + 1))
            .collect(toCollection(TreeSet::new));
    assertThat(found)
        .containsExactlyInAnyOrder(
            "ArchivedMessages",
            "BacklogFullException",
            "MessageDied",
            "MessageEvent",
            "MessageFailed",
            "LoadedPayload",
            "DeadLetter",
            "DeadLetterFilter",
            "DeadLetterPlan",
            "DeadLetters",
            "FailedAttempt",
            "FailureGroup",
            "FailureHistory",
            "FoundMessage",
            "HeldOrderingKey",
            "LookupFilter",
            "MessageLife",
            "MessageLookup",
            "MessageRefusedException",
            "MessageSent",
            "NoTransactionException",
            "Outbox",
            "OutboxActions",
            "OutboxAudit",
            "OutboxErasure",
            "OutboxException",
            "OutboxMessage",
            "OutboxNode",
            "OutboxNodes",
            "OutboxPolicies",
            "OutboxPolicy",
            "OutboxStatistics",
            "Payload",
            "check.GuaranteeRules",
            "check.PayloadFacts",
            "PayloadLoader",
            "PayloadUnavailableException",
            "RelayControl",
            "WaitingMessages",
            "WaitingPlan",
            "config.Destinations",
            "config.OutboxConfig",
            "config.OutboxConfigReader",
            "enqueue.CallerTransaction",
            "enqueue.Editor",
            "enqueue.Enqueuer",
            "enqueue.MessagePreparation",
            "enqueue.PayloadEncoder",
            "enqueue.UncapturedException",
            "encryption.SealedText",
            "encryption.Sealing",
            "jms.JmsMessages",
            "jms.JmsTransport",
            "log.OutboxLog",
            "log.WatchLog",
            "message.Body",
            "message.Envelope",
            "message.Headers",
            "message.Lane",
            "message.Partitioning",
            "message.PropertyValue",
            "message.StoredMessage",
            "payload.ApplicationPayloadResolver",
            "payload.BatchPayloadResolver",
            "payload.ErrorSealer",
            "payload.PayloadFailure",
            "payload.PayloadResolver",
            "payload.ResolvedBatch",
            "relay.CircuitBreakers",
            "relay.Relay",
            "relay.RelayListener",
            "relay.RelayStatus",
            "relay.RelayThreads",
            "relay.SendFailure",
            "relay.XaCompletion",
            "relay.Transport",
            "store.ArchiveTables",
            "store.DeadLetterViews",
            "store.FailureViews",
            "store.LookupViews",
            "store.OperatorStore",
            "store.OutboxDialect",
            "store.HolderQuery",
            "store.PollStore",
            "store.MessageStore",
            "store.RedirectStore",
            "store.ClaimStore",
            "store.ReplicationSlotStore",
            "store.RetentionStore",
            "store.EditStore",
            "store.ErasureStore",
            "store.ResendStore",
            "store.Schema",
            "store.StatisticsStore",
            "store.StoredErrors",
            "store.SwitchStore",
            "store.WaitingStore");
  }
}
