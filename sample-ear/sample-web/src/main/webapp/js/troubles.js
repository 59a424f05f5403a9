// The troubles that a person causes, and what Postbox did about each: read from the journey of the
// order that met with it, and from the state of the server.

import { api, placeOrder, placeOrderTwice, post } from './api.js';
import { inConsole } from './console.js';
import { byId, clock, counted, fill, make, setText } from './dom.js';
import { isSettled } from './journey.js';

const KEPT_AS = 'postbox-sample-troubles';
const ANSWER_WITHIN_MILLIS = 10_000;
const LOOK_AGAIN_MILLIS = 200;
const FORGOTTEN_AFTER_MILLIS = 600_000;

const cards = new Map(); // trouble -> { card, orderId, journey, was, request }
let onFollow = () => {};
let onChange = () => {};
let state; // the last answer of /api/troubles

/** The action of each button. It returns the order that meets with the trouble. */
const CAUSE = {
  request: () => placeOrderTwice({ sku: 'BOOK-1', quantity: 1 }).then(judged),
  again: () => answered().then((order) => post('orders/' + order + '/resend')),
  altered: () => answered().then((order) => post('orders/' + order + '/resend-altered')),
  once: () => post('troubles/handler-fails-once'),
  always: () => post('troubles/handler-fails'),
  mend: () => post('troubles/handler-fails/mend').then(showState),
  missing: () => post('troubles/missing-destination'),
  pause: () => post('troubles/pause').then(showState).then(() => placeOrder({ sku: 'BOOK-1', quantity: 1 })),
  resume: () => post('troubles/resume').then(showState),
  rush: () => post('troubles/thousand-orders').then(showState),
};

/** What Postbox did: a tone, sentences, and links into the console. */
const OUTCOME = {
  request(it, { request: { key, status, isSame } }) {
    return isSame
      ? good(
          `Both requests were answered with ${status} and order ${it.orderId}, byte by byte the same. The first one stored its answer in the transaction of the order; the second one was given it and ordered nothing.`,
          `Order ${it.orderId} has ${shipments(it)}. Its Idempotency-Key was ${key}.`,
          life(it))
      : harm(`The second answer, with status ${status}, is not the first one. That should never happen.`, `The Idempotency-Key was ${key}.`, life(it));
  },

  again(it) {
    return it.duplicates > 0
      ? good(
          `The message was sent ${times(it.timesSent)} and handled once: the inbox knew its id and skipped ${counted(it.duplicates, 'copy', 'copies')}.`,
          `Order ${it.orderId} has ${shipments(it)}.`,
          [['The message in the console', 'messages', it.messageId], ['Skipped copies of all messages', 'consumers', 'shipping']])
      : waits('The message was sent again. The inbox has not met the copy yet.');
  },

  altered(it, known) {
    if (it.quarantined.length > 0) {
      known.was = 'quarantined';
      return harm(
        'The inbox knew the id, and the body was another one. A skip would lose it, handling it would repeat the order, so the inbox put it in quarantine.',
        `Order ${it.orderId} has ${shipments(it)}. Find out who sent the other message; then release or discard it.`,
        [['Compare the two in the console', 'quarantined', String(it.quarantined[0])]]);
    }
    return known.was === 'quarantined'
      ? good('A person released or discarded it.', `Order ${it.orderId} has ${shipments(it)}.`, life(it))
      : waits('The altered message is on its way to the inbox.');
  },

  once(it) {
    if (it.failures.length === 0) {
      return waits('The order is on its way to the handler that will fail.');
    }
    const failed = `Attempt 1 failed at ${clock(it.failures[0])}, and the inbox rolled back all that it had done.`;
    return it.shipments.length > 0
      ? good(failed, `The message was redelivered a moment later, and its handler did its work: ${shipments(it)}.`, life(it))
      : waits(failed, 'The message is redelivered after about a second.', life(it));
  },

  always(it, known) {
    const failed = it.failures.length;
    if (it.parked !== undefined) {
      known.was = 'parked';
      return harm(
        `After ${counted(failed, 'attempt')} the inbox parked the message, with its body and the error of each attempt. Nothing of order ${it.orderId} is lost, and other orders pass it by.`,
        state?.now.printerBroken
          ? 'To get out of it: first mend the handler, then redrive the message in the console.'
          : 'The handler is mended. Now redrive the message in the console.',
        [['Redrive it in the console', 'parked', String(it.parked)]]);
    }
    if (it.shipments.length > 0) {
      return known.was === 'parked'
        ? good('A person redrove the message, and its handler did its work.', `Order ${it.orderId} has ${shipments(it)}.`, life(it))
        : good(`The handler was mended after ${counted(failed, 'failed attempt')}, and the next one did its work.`, `Order ${it.orderId} has ${shipments(it)}.`, life(it));
    }
    if (it.stations.some((station) => station.fact === 'DISCARDED')) {
      return harm('A person discarded the message.', `Order ${it.orderId} will not be shipped.`, life(it));
    }
    return failed === 0
      ? waits('The order is on its way to a handler that cannot work.')
      : waits(
          `${counted(failed, 'attempt')} failed, the last at ${clock(it.failures.at(-1))}. The message is redelivered after a growing delay; other messages pass it by.`,
          'After ten attempts, in some 15 seconds, the inbox parks it.',
          life(it));
  },

  missing(it) {
    const outbox = it.stations.find((station) => station.name === 'OUTBOX');
    if (it.shipments.length > 0) {
      return good(
        state?.now.redirectedTo
          ? `The messages to depot are redirected to ${state.now.redirectedTo}, so order ${it.orderId} was shipped.`
          : `Order ${it.orderId} was shipped after all.`,
        'To see the trouble again, end the redirect in the console.',
        [['End the redirect in the console', 'destinations', 'depot']]);
    }
    if (outbox.fact === 'DISCARDED') {
      return harm('A person discarded the message.', `Order ${it.orderId} will not be shipped.`, life(it));
    }
    return outbox.fact === 'CIRCUIT_OPEN'
      ? harm(
          `The server has no queue jms/depot, so Postbox opened the circuit of depot at ${clock(outbox.at)}. The message of order ${it.orderId} waits in the outbox. No attempt is counted, so it never dies of this, and every few seconds one message probes whether the queue is there.`,
          'To get out of it: redirect depot to shipping in the console, or define the queue.',
          [['Redirect it in the console', 'destinations', 'depot']])
      : waits(`The message of order ${it.orderId} is in the outbox. Each node reports its circuits every five seconds.`, undefined, [['The destination in the console', 'destinations', 'depot']]);
  },

  pause(it) {
    const link = [['The destination in the console', 'destinations', 'shipping']];
    if (state?.now.pausedSince) {
      return waits(
        `Paused since ${clock(state.now.pausedSince)}. ${counted(state.now.waiting, 'message waits', 'messages wait')} in the outbox, and orders are taken as ever. The pause outlasts a restart.`,
        state.now.allPaused ? 'All destinations are paused; the console resumes them.' : 'To get out of it: resume the relay.',
        link);
    }
    return it === undefined
      ? undefined
      : it.shipments.length > 0
        ? good('Resumed: the relay sent what was waiting, in its order.', `Order ${it.orderId} has ${shipments(it)}.`, link)
        : waits('Resumed: the relay sends what is waiting.', undefined, link);
  },
};

const good = (did, next, links) => ({ tone: 'good', did, next, links });
const waits = (did, next, links) => ({ tone: 'wait', did, next, links });
const harm = (did, next, links) => ({ tone: 'harm', did, next, links });
const life = (it) => [['The message in the console', 'messages', it.messageId]];
const times = (number) => (number === 1 ? 'once' : number === 2 ? 'twice' : number + ' times');
const shipments = (it) => counted(it.shipments.length, 'shipment');

/** The order of the first of two answers, and whether the second one is the same. */
function judged({ key, answers: [first, second] }) {
  if (first.status !== 201) {
    throw new Error('The order was not taken: the server answered with status ' + first.status + '.');
  }
  const isSame = second.status === first.status && second.text === first.text;
  return { ...JSON.parse(first.text), request: { key, status: second.status, isSame } };
}

const wait = (millis) => new Promise((done) => setTimeout(done, millis));

/** Places an order and waits for its answer. */
async function answered() {
  const { orderId } = await placeOrder({ sku: 'BOOK-1', quantity: 1 });
  for (const end = Date.now() + ANSWER_WITHIN_MILLIS; Date.now() < end; await wait(LOOK_AGAIN_MILLIS)) {
    const { status } = await api('orders/' + orderId);
    if (status !== 'PLACED') {
      return orderId;
    }
  }
  throw new Error('Order ' + orderId + ' has no answer after ten seconds. Is the relay paused?');
}


/** Finds the cards and their buttons. */
export function begin({ follow, change }) {
  onFollow = follow;
  onChange = change;
  const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '{}');
  for (const card of document.querySelectorAll('[data-trouble]')) {
    cards.set(card.dataset.trouble, { card, ...kept[card.dataset.trouble] });
    for (const button of card.querySelectorAll('[data-cause]')) {
      button.addEventListener('click', () => cause(card.dataset.trouble, button));
    }
  }
}

function keep() {
  const kept = {};
  for (const [name, { orderId, was, request }] of cards) {
    if (orderId !== undefined) {
      kept[name] = { orderId, was, request };
    }
  }
  sessionStorage.setItem(KEPT_AS, JSON.stringify(kept));
}

async function cause(name, button) {
  const known = cards.get(name);
  const error = known.card.querySelector('.error');
  error.textContent = '';
  button.disabled = true;
  try {
    const order = await CAUSE[button.dataset.cause]();
    if (order?.orderId !== undefined) {
      Object.assign(known, { orderId: order.orderId, request: order.request, journey: undefined, was: undefined });
      keep();
      onFollow(order.orderId);
    }
    onChange();
  } catch (problem) {
    error.textContent = problem.message;
  } finally {
    button.disabled = false;
    (button.hidden ? known.card.querySelector('button:not([hidden])') : button).focus();
  }
}

/** The orders whose journeys the cards need: those to which something may still happen. */
export function watched() {
  return [...cards.values()]
    .filter(({ orderId, journey, was }) => orderId !== undefined && (journey === undefined || was !== undefined || !isOver(journey)))
    .map(({ orderId }) => orderId);
}

const isOver = (journey) => isSettled(journey) && journey.parked === undefined && Date.now() - Date.parse(journey.stations[0].at) > FORGOTTEN_AFTER_MILLIS;

/** Shows what became of an order, on the cards that are about it. */
export function showOutcome(journey) {
  for (const [name, known] of cards) {
    if (known.orderId === journey.orderId) {
      known.journey = journey;
      draw(name, known);
    }
  }
}

/** Forgets an order that is not there, for instance because its database is a new one. */
export function forget(orderId) {
  for (const known of cards.values()) {
    if (known.orderId === orderId) {
      known.orderId = undefined;
      known.journey = undefined;
    }
  }
  keep();
}

/** Shows what is wrong at the moment. */
export function showState(answer) {
  state = answer;
  const { now } = answer;
  byId('mend').hidden = !now.printerBroken;
  byId('resume').hidden = now.pausedSince === undefined || now.allPaused;
  byId('pause').hidden = now.pausedSince !== undefined;
  byId('rush').disabled = now.rush.running;
  showRush(now.rush);
  for (const name of ['pause', 'always', 'missing']) {
    draw(name, cards.get(name));
  }
}

function draw(name, known) {
  if (known.journey === undefined && name !== 'pause') {
    return;
  }
  show(known.card.querySelector('.outcome'), OUTCOME[name](known.journey, known), known.orderId);
  keep();
}

function show(place, outcome, orderId) {
  place.hidden = outcome === undefined;
  if (outcome === undefined) {
    return;
  }
  const { tone, did, next, links = [] } = outcome;
  place.className = 'outcome ' + tone;
  fill(place, JSON.stringify([outcome, orderId, inConsole()]), () => [
    make('h4', { textContent: 'What Postbox did' }),
    make('p', { textContent: did }),
    next ? make('p', { textContent: next }) : '',
    ...links
      .map(([words, ...parts]) => [words, inConsole(...parts)])
      .filter(([, href]) => href !== undefined)
      .map(([words, href]) => make('p', {}, make('a', { href, textContent: words }))),
    orderId === undefined ? '' : make('p', {}, watchButton(orderId)),
  ]);
}

/** Brings the order to the stations above. */
function watchButton(orderId) {
  const button = make('button', { type: 'button', className: 'quiet', textContent: 'Watch order ' + orderId + ' above' });
  button.addEventListener('click', () => {
    onFollow(orderId);
    byId('journey-title').scrollIntoView({ block: 'start' });
    byId('journey-title').focus();
  });
  return button;
}

function showRush({ running, placed, shipped, shipments: booked }) {
  if (placed === 0 && !running) {
    return;
  }
  byId('rush-bars').hidden = false;
  for (const [name, number] of [['placed', placed], ['shipped', shipped]]) {
    byId('rush-' + name).value = number;
    setText(byId('rush-' + name + '-number'), number.toLocaleString('en'));
  }
  show(cards.get('rush').card.querySelector('.outcome'), rushed(running, placed, shipped, booked));
}

function rushed(running, placed, shipped, booked) {
  if (running || shipped < placed) {
    return waits(
      running
        ? 'Each order is a commit of its own, and the shop takes the next one at once: what is not shipped yet waits in the outbox or in the queue.'
        : `All orders are placed. ${counted(placed - shipped, 'order is', 'orders are')} still on the way, in the outbox, in the queue, or with shipping.`,
      undefined,
      [['The backlog in the console', 'destinations']]);
  }
  return booked === placed
    ? good(`All ${counted(placed, 'order')} are shipped, by ${counted(booked, 'shipment')}: none was lost, and none was handled twice.`, undefined, [['The consumers in the console', 'consumers']])
    : harm(`${counted(placed, 'order')} are shipped by ${counted(booked, 'shipment')}. That should never happen; the console may say why.`, undefined, [['The console', 'findings']]);
}
