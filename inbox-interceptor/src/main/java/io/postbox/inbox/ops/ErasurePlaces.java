package io.postbox.inbox.ops;

import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.store.ErasureStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The places that hold rows to erase, in the order of erasure: messages that still wait for a
 * handler or a person first, because erasing them leaves rows of handled messages. Thread-safe.
 *
 * @param store finds and erases
 * @param discards discards kept messages of a kind
 */
record ErasurePlaces(ErasureStore store, Function<Kind, KeptDiscard> discards) {

  List<ErasurePlace<?>> of(ErasureQuery query) {
    List<ErasurePlace<?>> places = new ArrayList<>();
    places.add(store.captured(query));
    for (Kind kind : List.of(Kind.PARKED, Kind.QUARANTINED)) {
      places.add(store.kept(query, kind, discards.apply(kind)::discard));
    }
    places.add(store.handled(query));
    places.add(store.failures(query));
    if (query.target() instanceof Aggregate aggregate) {
      places.addAll(store.order(aggregate));
      places.addAll(store.records().ofAggregate(aggregate.type(), aggregate.id()));
    } else if (query.target() instanceof DataSubject person) {
      places.addAll(store.records().ofDataSubject(person.key()));
    }
    return places;
  }
}
