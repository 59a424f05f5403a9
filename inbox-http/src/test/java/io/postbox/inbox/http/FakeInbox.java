package io.postbox.inbox.http;

import io.postbox.inbox.interceptor.RequestAnswers;
import io.postbox.inbox.metrics.RequestOutcome;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keys, answers and effects, each in the transaction of its request. */
final class FakeInbox extends RequestAnswers implements UserTransaction {
  /** The effects that are committed. */
  final List<String> effects = new ArrayList<>();

  final List<RequestOutcome> outcomes = new ArrayList<>();
  private final Map<String, String> answers = new HashMap<>();
  private final List<Runnable> work = new ArrayList<>();
  private int status = Status.STATUS_NO_TRANSACTION;

  /** What a method writes. */
  void write(String effect) {
    work.add(() -> effects.add(effect));
  }

  @Override
  public void prepare() {}

  @Override
  public Claim claim(String consumer, String id, Duration patience) {
    return answers.containsKey(id) ? Claim.KNOWN : Claim.FIRST;
  }

  @Override
  public void keep(
      String consumer, String id, String answer, String method, String path, int answered) {
    work.add(() -> answers.put(id, answer));
  }

  @Override
  public Optional<String> answer(String consumer, String id) {
    return Optional.ofNullable(answers.get(id));
  }

  @Override
  public void count(String consumer, RequestOutcome outcome) {
    outcomes.add(outcome);
  }

  @Override
  public Duration retention(String consumer) {
    return Duration.ofDays(7);
  }

  @Override
  public void begin() {
    status = Status.STATUS_ACTIVE;
  }

  @Override
  public void commit() throws RollbackException {
    if (status != Status.STATUS_ACTIVE) {
      end();
      throw new RollbackException("marked for rollback");
    }
    work.forEach(Runnable::run);
    end();
  }

  @Override
  public void rollback() {
    end();
  }

  private void end() {
    work.clear();
    status = Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public void setRollbackOnly() {
    status = Status.STATUS_MARKED_ROLLBACK;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void setTransactionTimeout(int seconds) {}
}
