// Finding messages wherever they are, and the life of one.

import { html, nothing } from '../lit.js';
import { get, Problem, send } from '../api.js';
import { openPlan } from '../dialogs.js';
import { filters } from '../filters.js';
import { aggregate, badge, button, empty, facts, head, linked, longText, moment, pager, section, shortId, table, text, when } from '../parts.js';
import { link, parse, trusted } from '../router.js';
import { letterOneButtons } from './dead-letters.js';
import { keptOneButtons } from './kept.js';

const PLACES = { outbox: 'outbox', archive: 'archive', inbox: 'inbox', parked: 'parked', buffered: 'wait', quarantined: 'quarantined', captured: 'inbox', retried: 'wait' };

/** The looks of events that say more than their place does. */
const LOOKS = { failed: 'harm', died: 'harm', parked: 'parked', quarantined: 'quarantined', buffered: 'wait', held: 'wait', begun: 'notice', captured: 'notice', retried: 'notice' };

/** What a link of an event leads to, by its page. */
const TARGETS = { failures: 'All failures of this cause', parked: 'The parked message', quarantined: 'The quarantined message', 'dead-letters': 'The dead letter', messages: 'The other message' };
const STATUSES = ['PENDING', 'DELAYED', 'HELD', 'DEAD', 'SENT', 'DISCARDED'];

const WAITING = ['PENDING', 'DELAYED', 'HELD'];

const SINGLE = {
  cancel: { title: 'Cancel a message', verb: 'Cancel the message' },
  resend: { title: 'Resend a message', verb: 'Resend it' },
  'resend-as': { title: 'Resend a message as a new one', verb: 'Resend it as new' },
};

/** The kinds of events in words; those that are missing here are words already. */
const WORDS = {
  begun: 'begun',
  captured: 'captured, to be handled later',
  died: 'became a dead letter',
  due: 'not before this time',
  held: 'waits behind another message',
  holds: 'others wait behind it',
  processed: 'handled',
  retried: 'stored, to go back to its queue',
  stale: 'skipped as stale',
};

/** The states of a message that is stored and not handled yet. */
const STATES = {
  PENDING: 'it is handled next',
  DELAYED: 'it waits for its time',
  HELD: 'it waits behind another message with its ordering key',
  HANDED_BACK: 'it has its turn: a copy is on its way to its consumer, and another is sent if none comes',
  PROCESSED: 'it is handled, and its row is kept',
};

const fields = [
  { name: 'id', label: 'Message id' },
  { name: 'aggregateType', label: 'Aggregate type' },
  { name: 'aggregateId', label: 'Aggregate id' },
  { name: 'key', label: 'Ordering key' },
  { name: 'event', label: 'Event type' },
  { name: 'destination', label: 'Destination' },
  { name: 'consumer', label: 'Consumer' },
  { name: 'status', label: 'Status in the outbox', type: 'choice', options: STATUSES },
  { name: 'signature', label: 'Signature' },
  { name: 'from', label: 'From', type: 'time' },
  { name: 'before', label: 'Before', type: 'time' },
];

/** Where the search box leads: an id to its life, "Order/4711" to that aggregate, all else to one's id. */
export function searched(words) {
  const wanted = words.trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(wanted)) {
    return link(['messages', wanted]);
  }
  const found = /^([^/\s]+)[/\s]+(\S.*)$/s.exec(wanted);
  return link(['messages'], found ? { aggregateType: found[1], aggregateId: found[2] } : { aggregateId: wanted });
}

export const messages = {
  section: 'messages',
  depth: 2,
  title: ({ parts }) => (parts[1] ? 'The life of a message' : 'Find messages'),
  every: 0,

  async load({ parts: [, id], query }, signal) {
    if (id !== undefined) {
      const [life, rows] = await Promise.all([get(['messages', id], {}, signal), get(['messages'], { id }, signal)]);
      return { ...life, rows: rows.items.filter(it => it.id === id) };
    }
    if (Object.keys(query).length === 0) {
      return { items: undefined };
    }
    const found = await get(['messages'], query, signal);
    const { aggregateType, ...others } = query;
    if (found.items.length > 0 || found.next || query.after || !aggregateType || !query.aggregateId) {
      return found;
    }
    // "order 15" is what people type for Order/15
    return { ...(await get(['messages'], others, signal)), without: aggregateType };
  },

  render(data, ctx) {
    return ctx.route.parts[1] === undefined ? list(data, ctx) : life(data, ctx);
  },
};

/** Where a person can act on a row, if there is anything to do; its life otherwise. */
function place({ where, status, row, id, messageId }) {
  return where === 'parked' || where === 'buffered' || where === 'retried' ? ['parked', row]
    : where === 'quarantined' ? ['quarantined', row]
    : where === 'outbox' && status === 'DEAD' ? ['dead-letters', id]
    : ['messages', messageId ?? id];
}

function list({ items, next, note, without }, ctx) {
  const leftOut = note ? html`<p class="note"><bdi>${note}</bdi></p>` : nothing;
  return html`
    ${head('Find messages', { lead: 'In the outbox and its archive, and in the inbox with what is captured, retried, parked or in quarantine. Messages that retention has deleted are not found.' })}
    ${filters(ctx.route, fields, items === undefined)}
    ${without && items.length > 0 ? html`<p class="note">Nothing is known of an aggregate of the type ${text(without, 40)}, letter case included. These have the id ${text(ctx.route.query.aggregateId, 40)}.</p>` : nothing}
    ${items === undefined
      ? empty('Say what you look for.', 'A message id, an aggregate such as Order and 4711, an ordering key, or the consumer that should have handled it. Texts compare exactly.')
      : items.length === 0
        ? html`${empty('No message that is still kept was found.', 'One that was sent and deleted leaves no row in the outbox (after-sending=keep or archive keep it), and one that was handled leaves its id alone in the inbox. Texts compare exactly, letter case included.')}${leftOut}`
        : html`${table({
            caption: 'Messages',
            rows: items,
            columns: [
              { name: 'Message', cell: it => shortId(place(it), it.messageId ?? it.id ?? `row ${it.row}`) },
              { name: 'Where', cell: it => badge(PLACES[it.where] ?? 'notice', String(it.where)) },
              { name: 'Status', cell: it => text(it.status ?? it.outcome ?? it.reason, 32) },
              { name: 'Aggregate', cell: aggregate },
              { name: 'Event', cell: it => text(it.eventType ?? it.event, 40) },
              { name: 'Destination or consumer', cell: it => (it.consumer ? linked(['consumers', it.consumer], it.consumer, 32) : it.destination ? linked(['destinations', it.destination], it.destination, 32) : text()) },
              { name: 'When', cell: it => when(it.at ?? it.enqueuedAt ?? it.processedAt ?? it.parkedAt ?? it.receivedAt) },
            ],
          })}${pager(ctx.route, next, ['messages'])}${leftOut}`}`;
}

function life({ id, note, events = [], rows }, ctx) {
  return html`
    ${head('The life of a message', { lead: html`<bdi class="id">${id ?? ctx.route.parts[1]}</bdi>`, buttons: lifeButtons(rows, ctx) })}
    ${note ? html`<p class="note"><bdi>${note}</bdi></p>` : nothing}
    ${rows.map(it => kept(it, ctx))}
    ${events.length === 0
      ? empty('Nothing is known of this message.', 'It was never here, or it was sent or handled so long ago that its rows were deleted.')
      : html`<ol class="timeline">${events.map((it, index) => event(it, index === events.findLastIndex(other => other.link === it.link)))}</ol>`}
    ${rows.filter(it => it.where === 'captured' || it.where === 'retried').map(waits)}
    ${rows.map(remembered)}`;
}

/** What is kept of it for a person to decide, and the decisions. */
function kept(it, ctx) {
  const { where, row, id, consumer, destination, reason, attempts } = it;
  const error = it.error ?? it.lastError;
  const parts = place(it);
  if (parts[0] === 'messages' || where === 'retried') {
    return nothing;
  }
  const title = parts[0] === 'dead-letters'
    ? html`Dead letter to ${text(destination, 60)}`
    : html`${where === 'parked' ? 'Parked' : where === 'buffered' ? 'Buffered' : 'In quarantine'}, of ${text(consumer, 60)}`;
  return section(title, facts([
    ['Reason', reason ? text(reason, 60) : undefined],
    ['Failed attempts', attempts === undefined ? undefined : text(attempts, 20)],
    ['Error', error ? longText(error, 300) : undefined],
  ]), {
    buttons: html`<a class="button second" href=${link(parts)}>Open it</a>${parts[0] === 'dead-letters'
      ? letterOneButtons({ ...it, id }, ctx)
      : where === 'buffered' ? nothing : keptOneButtons(parts[0], { ...it, id: row, messageId: id }, ctx)}`,
  });
}

/** Why a captured or retried message is not handled yet. */
function waits({ where, row, consumer, status, dueAt, attempts, error }) {
  return section(html`${where === 'captured' ? 'Captured for' : 'Goes back to'} ${text(consumer, 60)}`, facts([
    ['Status', html`${text(status, 20)}${STATES[status] ? html`: ${STATES[status]}` : nothing}`],
    ['Failed attempts', text(attempts, 20)],
    ['Next attempt', dueAt ? when(dueAt) : undefined],
    ['Last error', error ? longText(error) : undefined],
  ]), where === 'retried' || status === 'DELAYED' ? { buttons: html`<a class="button second" href=${link(['parked', row])}>Open it</a>` } : undefined);
}

/** The headers that the inbox remembers of a handled message beside its id: its origin and its subject. */
function remembered({ consumer, headers }) {
  const known = Object.entries(headers ?? {});
  return known.length > 0
    ? section(html`Headers, as ${text(consumer, 60)} received it`, facts(known.map(([name, value]) => [text(name, 80), text(value, 200)])))
    : nothing;
}

/** The actions on one message: it may still be cancelled, or be sent again. */
function lifeButtons(rows, ctx) {
  const waiting = rows.find(it => it.where === 'outbox' && WAITING.includes(it.status));
  const archived = rows.find(it => it.where === 'archive' && !it.erasedAt);
  return ctx.can('operator') && (waiting || archived)
    ? html`
        ${waiting ? button('Cancel it…', () => plan('cancel', waiting.id, ctx), { kind: 'second danger-text' }) : nothing}
        ${archived ? html`
          ${button('Resend as new…', () => plan('resend-as', archived.id, ctx))}
          ${button('Resend…', () => plan('resend', archived.id, ctx), { kind: '' })}` : nothing}`
    : nothing;
}

function plan(action, id, ctx) {
  const { title, verb } = SINGLE[action];
  openPlan({
    title,
    request: { parts: ['outbox', 'plans'], body: { action, id } },
    verb: () => verb,
    danger: action === 'cancel',
    run: async ({ id: planned }, { reason }) => {
      const { changed, message } = await send('POST', ['plans', planned, 'run'], { reason });
      if (!changed) {
        throw new Problem({ title: 'It was too late', detail: 'The message has changed meanwhile; nothing was done.', wayOut: 'Close this, and look at its life.' });
      }
      return link(['messages', message]);
    },
    done: ctx.reload,
  });
}

/** @param leads whether it has a link: of several events with the same one, the last has it */
function event({ at, where, what, node, text: words, link: href }, leads) {
  const target = leads ? trusted(href) : undefined;
  const [place, ...rest] = String(where).split(', '); // "outbox, to shipping"
  const kind = PLACES[place] ?? 'notice';
  return html`<li class=${LOOKS[what] ?? kind}>
    <div class="timeline-when">${moment(at)}</div>
    <div class="timeline-what">
      <div>${badge(LOOKS[what] ?? kind, place)} <strong>${text(WORDS[what] ?? what, 120)}</strong>${rest.length > 0 ? html` <span class="soft">${text(rest.join(', '), 80)}</span>` : nothing}${node ? html` <span class="soft">on ${text(node, 40)}</span>` : nothing}</div>
      ${words ? html`<div>${longText(words, 300)}</div>` : nothing}
      ${target ? html`<a href=${target}>${TARGETS[parse(target).parts[0]] ?? 'Look at it'}<span class="only-read">: ${what}</span></a>` : nothing}
    </div>
  </li>`;
}
