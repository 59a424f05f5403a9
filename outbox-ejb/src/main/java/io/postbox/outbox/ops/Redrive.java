package io.postbox.outbox.ops;

import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.store.OperatorStore.Decided;
import io.postbox.outbox.store.OperatorStore.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Redrives a batch: letters wait behind the message that holds their key; if no message holds it,
 * the first message of the key does so from now on. That is not always a letter: an earlier
 * redriven message of the key may be pending and must not be overtaken. Not thread-safe.
 *
 * @param messages the statements
 * @param perSecond how many letters become due each second
 * @param start when the first one does
 */
record Redrive(OperatorStore messages, int perSecond, Instant start) {

  /**
   * Puts letters of one partition back to work, whose row lock the transaction has.
   *
   * @param some the letters, and those that are to wait again
   * @param now the database's time
   * @return how many of the letters have a due time
   */
  int on(Connection connection, int partition, Decided some, Instant now) throws SQLException {
    messages.waitAgain(connection, partition, some.left());
    Set<Row> heads = new HashSet<>(holdFreeKeys(connection, partition, some.chosen()));
    List<Long> due = new ArrayList<>();
    List<Long> behind = new ArrayList<>();
    some.chosen().forEach(it -> (it.isFirst() || heads.contains(it) ? due : behind).add(it.seq()));
    messages.hold(connection, partition, behind);
    if (!due.isEmpty()) {
      messages.redrive(connection, partition, byDueTime(due), now);
    }
    return due.size();
  }

  private SortedMap<Instant, List<Long>> byDueTime(List<Long> seqs) {
    SortedMap<Instant, List<Long>> byDueTime = new TreeMap<>();
    for (int i = 0; i < seqs.size(); i++) {
      Instant due = start.plusSeconds(i / perSecond);
      byDueTime.computeIfAbsent(due, time -> new ArrayList<>()).add(seqs.get(i));
    }
    return byDueTime;
  }

  /** Returns the messages that hold the keys that no message has held. */
  private List<Row> holdFreeKeys(Connection connection, int partition, List<Row> letters)
      throws SQLException {
    BinaryOperator<Row> earlier = BinaryOperator.minBy(Comparator.comparing(Row::seq));
    Map<String, Map<String, Row>> unheld = new LinkedHashMap<>(); // by destination and key
    for (Row letter : letters) {
      if (letter.key().isPresent() && letter.heldBy().isEmpty()) {
        unheld
            .computeIfAbsent(letter.destination(), name -> new LinkedHashMap<>())
            .merge(letter.key().get(), letter, earlier);
      }
    }
    List<Row> heads = new ArrayList<>();
    for (Map.Entry<String, Map<String, Row>> each : unheld.entrySet()) {
      Map<String, Row> first = each.getValue();
      long last = first.values().stream().mapToLong(Row::seq).max().orElse(0);
      messages
          .firstWaiting(connection, partition, each.getKey(), first.keySet(), last)
          .forEach(alive -> first.merge(alive.key().orElseThrow(), alive, earlier));
      heads.addAll(first.values());
    }
    messages.holdKeys(connection, partition, heads);
    return heads;
  }
}
