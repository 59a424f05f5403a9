// The journey of one order: six stations, as far as the server knows.

import { inConsole } from './console.js';
import { byId, clock, counted, fill, later, make, setText } from './dom.js';

const BETWEEN_STEPS_MILLIS = 260; // a message is faster than the eye
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const STATES = {
  AHEAD: 'not there yet',
  HERE: 'here now',
  WAITS: 'waits',
  STOPPED: 'needs a person',
  DONE: 'done',
};

/** The words of each station for somebody who meets the pattern for the first time. */
const SENTENCES = {
  ORDER: {
    COMMITTED: () =>
      'One transaction stored the order and, beside it, a row with its message. Had it rolled back, there would be neither.',
  },
  OUTBOX: {
    WAITING: () => 'The message is a row in the shop’s own database. The relay, woken by the commit, is about to send it.',
    PAUSED: () => 'A person paused the relay. The message is safe in the database, and the shop goes on taking orders.',
    CIRCUIT_OPEN: (it) =>
      'The destination ' + it.destination + ' is not there. Its circuit breaker is open: the message waits, no attempt is counted, other destinations go on.',
    HELD: () => 'A message before it, with the same ordering key, has failed. This one waits so that it does not overtake it.',
    DEAD: () => 'The message used up its attempts. It is kept as a dead letter until a person decides.',
    DISCARDED: () => 'A person discarded the message. It will not be sent.',
    SENT: () => 'The relay handed the message to the broker, and only then deleted the row. A crash between the two sends it again: at least once.',
  },
  QUEUE: {
    AHEAD: () => 'The broker will keep the message until shipping takes it.',
    TRAVELS: () => 'The broker has the message and delivers it to shipping.',
    REDELIVERED: () => 'The delivery failed. The message is redelivered after a growing delay, and others pass it by meanwhile.',
    DELIVERED: () => 'The broker delivered the message to shipping’s message-driven bean.',
  },
  INBOX: {
    AHEAD: () => 'The inbox will look whether it knows the message’s id already.',
    ROLLED_BACK: (it) =>
      'The handler failed ' + (it.failures.length === 1 ? 'once' : it.failures.length + ' times') + '. All that it did was rolled back, the record of the id included.',
    PARKED: (it) =>
      'After ' + counted(it.failures.length, 'failed attempt') + ' the inbox parked the message with its body and its error. The queue goes on without it.',
    DISCARDED: () => 'A person discarded the message. A late copy of it will be skipped.',
    RECORDED: (it) =>
      'The id was new, so the inbox recorded it and called the handler, in one transaction.' +
      (it.duplicates > 0 ? ' ' + counted(it.duplicates, 'copy', 'copies') + ' came with the same id: skipped.' : ''),
  },
  SHIPMENT: {
    AHEAD: () => 'The handler will take the goods from stock and book a shipment.',
    BOOKED: (it) =>
      (it.shipments.length === 1 ? 'Shipment ' + it.shipments[0] : it.shipments.length + ' shipments') +
      ', the smaller stock and the reply were committed together with the id: all of it, once.',
    REJECTED: () => 'The goods are not in stock. That is an answer and no error, so nothing is retried.',
  },
  REPLY: {
    AHEAD: () => 'The outcome will go back to the order the same way.',
    TRAVELS: () => 'The outcome goes back the same way: outbox, queue, inbox.',
    HELD_UP: () => 'The outcome waits in the outbox, as any message would.',
    RECORDED: (it) => 'The outcome came back the same way: outbox, queue, inbox. The order is ' + it.status + '.',
  },
};

const sentence = (journey, station) => (SENTENCES[station.name]?.[station.fact] ?? (() => ''))(journey);

const next = new WeakMap(); // the state that each station shows, or is about to
let shown; // the number of the order on show
let timers = [];

/** Shows a journey; what is new lights up station by station. */
export function showJourney(journey) {
  const places = document.querySelectorAll('#journey li');
  if (shown !== journey.orderId) {
    shown = journey.orderId;
    timers.forEach(clearTimeout);
    timers = [];
    places.forEach((place) => draw(place, journey, { state: 'AHEAD', name: place.dataset.station, fact: 'AHEAD' }));
  }
  let delay = 0;
  journey.stations.forEach((station, at) => {
    const place = places[at];
    const key = JSON.stringify([journey.orderId, station, sentence(journey, station)]);
    if (next.get(place) === key) {
      return;
    }
    next.set(place, key);
    if (calm.matches || station.state === 'AHEAD') {
      draw(place, journey, station);
    } else {
      timers.push(setTimeout(() => draw(place, journey, station), delay));
      delay += BETWEEN_STEPS_MILLIS;
    }
  });
  byId('journey-none').hidden = true;
  byId('journey').hidden = false;
  setText(byId('journey-order'), 'Order ' + journey.orderId + ': ' + journey.quantity + ' × ' + journey.sku);
  const status = byId('journey-status');
  setText(status, journey.status);
  status.className = 'status ' + journey.status;
  setText(byId('journey-summary'), summary(journey));
  const life = inConsole('messages', journey.messageId);
  fill(byId('journey-link'), journey.messageId + life, () => [
    'Message ',
    make('code', { textContent: journey.messageId }),
    ...(life ? [' · ', make('a', { href: life, textContent: 'its life in the console' })] : []),
  ]);
}

function draw(place, journey, station) {
  place.className = station.state;
  setText(place.querySelector('.state'), STATES[station.state] ?? station.state);
  const time = place.querySelector('time');
  if (station.at) {
    time.dateTime = station.at;
    setText(time, timeOf(station, journey.stations[0]));
  } else {
    time.removeAttribute('datetime');
    setText(time, '');
  }
  setText(place.querySelector('.why'), sentence(journey, station) || SENTENCES[station.name]?.AHEAD?.() || '');
}

/** When, and how long after the order; of what still lasts, since when. */
function timeOf({ name, state, at }, order) {
  if (name === 'ORDER') {
    return clock(at);
  }
  return state === 'DONE' ? clock(at) + ' · ' + later(at, order.at) : 'since ' + clock(at);
}

/** Where the order is, in one sentence, for those who do not see the stations. */
function summary(journey) {
  const stopped = journey.stations.find(({ state }) => state === 'STOPPED');
  const waits = journey.stations.find(({ state }) => state === 'WAITS');
  const here = journey.stations.find(({ state }) => state === 'HERE');
  const name = ({ name }) => NAMES[name];
  if (stopped) {
    return 'Stopped at ' + name(stopped) + ', where a person has to decide. Nothing is lost.';
  }
  if (waits) {
    return 'Waits at ' + name(waits) + '. Nothing is lost.';
  }
  if (here) {
    return 'On its way: ' + name(here) + '.';
  }
  const took = later(journey.stations.at(-1).at ?? journey.stations[0].at, journey.stations[0].at).slice(1);
  return journey.stations.at(-1).at ? 'There and back in ' + took + '.' : 'There and back.';
}

const NAMES = { ORDER: 'the order', OUTBOX: 'the outbox', QUEUE: 'the queue', INBOX: 'the inbox', SHIPMENT: 'the shipment', REPLY: 'the reply' };

/** Whether nothing more happens to the order by itself. */
export const isSettled = (journey) =>
  journey.stations.every(({ state }) => state === 'DONE') ||
  journey.stations.some(({ state }) => state === 'STOPPED');
