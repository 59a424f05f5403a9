// Finding messages wherever they are, and the life of one.

import { html, nothing } from '../lit.js';
import { get, Problem, send } from '../api.js';
import { openPlan } from '../dialogs.js';
import { filters } from '../filters.js';
import { aggregate, badge, button, empty, facts, head, linked, longText, moment, pager, section, shortId, table, text, when } from '../parts.js';
import { link, trusted } from '../router.js';

const PLACES = { outbox: 'outbox', archive: 'archive', inbox: 'inbox', parked: 'parked', buffered: 'wait', quarantined: 'quarantined', captured: 'inbox' };
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
  stale: 'skipped as stale',
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
  title: ({ parts }) => (parts[1] ? 'The life of a message' : 'Find messages'),
  every: 0,

  async load({ parts: [, id], query }, signal) {
    if (id !== undefined) {
      const [life, rows] = await Promise.all([get(['messages', id], {}, signal), get(['messages'], { id }, signal)]);
      return { ...life, rows: rows.items.filter(it => it.id === id) };
    }
    return Object.keys(query).length > 0 ? get(['messages'], query, signal) : { items: undefined };
  },

  render(data, ctx) {
    return ctx.route.parts[1] === undefined ? list(data, ctx) : life(data, ctx);
  },
};

function list({ items, next, note }, ctx) {
  return html`
    ${head('Find messages', { lead: 'In the outbox and its archive, and in the inbox with what is captured, parked or in quarantine. Messages that retention has deleted are not found.' })}
    ${filters(ctx.route, fields)}
    ${note ? html`<p class="note"><bdi>${note}</bdi></p>` : nothing}
    ${items === undefined
      ? empty('Say what you look for.', 'A message id, an aggregate such as Order and 4711, an ordering key, or the consumer that should have handled it. Texts compare exactly.')
      : items.length === 0
        ? empty('No message was found.', 'It was never enqueued or received here, or it was sent and deleted: sent messages stay only with after-sending=keep or archive.')
        : html`${table({
            caption: 'Messages',
            rows: items,
            columns: [
              { name: 'Message', cell: it => shortId(['messages', it.messageId ?? it.id], it.messageId ?? it.id) },
              { name: 'Where', cell: it => badge(PLACES[it.where] ?? 'notice', String(it.where)) },
              { name: 'Status', cell: it => text(it.status ?? it.outcome ?? it.reason, 32) },
              { name: 'Aggregate', cell: aggregate },
              { name: 'Event', cell: it => text(it.eventType ?? it.event, 40) },
              { name: 'Destination or consumer', cell: it => (it.consumer ? linked(['consumers', it.consumer], it.consumer, 32) : it.destination ? linked(['destinations', it.destination], it.destination, 32) : text()) },
              { name: 'When', cell: it => when(it.at ?? it.enqueuedAt ?? it.processedAt ?? it.parkedAt ?? it.receivedAt) },
            ],
          })}${pager(ctx.route, next, ['messages'])}`}`;
}

function life({ id, note, events = [], rows }, ctx) {
  return html`
    ${head('The life of a message', { lead: html`<bdi class="id">${id ?? ctx.route.parts[1]}</bdi>`, buttons: lifeButtons(rows, ctx) })}
    ${note ? html`<p class="note"><bdi>${note}</bdi></p>` : nothing}
    ${events.length === 0
      ? empty('Nothing is known of this message.', 'It was never here, or it was sent or handled so long ago that its rows were deleted.')
      : html`<ol class="timeline">${events.map(event)}</ol>`}
    ${rows.filter(it => it.where === 'captured').map(waits)}
    ${rows.map(remembered)}`;
}

/** Why a captured message is not handled yet. */
function waits({ consumer, status, dueAt, attempts, error }) {
  return section(`Captured for ${consumer}`, facts([
    ['Status', text(status, 20)],
    ['Failed attempts', text(attempts, 20)],
    ['Next attempt', dueAt ? when(dueAt) : undefined],
    ['Last error', error ? longText(error) : undefined],
  ]));
}

/** The headers that the inbox remembers of a handled message beside its id: its origin and its subject. */
function remembered({ consumer, headers }) {
  const known = Object.entries(headers ?? {});
  return known.length > 0
    ? section(`Headers, as ${consumer} received it`, facts(known.map(([name, value]) => [text(name, 80), text(value, 200)])))
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

function event({ at, where, what, node, text: words, link: href }) {
  const target = trusted(href);
  const [place, ...rest] = String(where).split(', '); // "outbox, to shipping"
  const kind = PLACES[place] ?? 'notice';
  return html`<li class=${kind}>
    <div class="timeline-when">${moment(at)}</div>
    <div class="timeline-what">
      <div>${badge(kind, place)} <strong>${text(WORDS[what] ?? what, 120)}</strong>${rest.length > 0 ? html` <span class="soft">${text(rest.join(', '), 80)}</span>` : nothing}${node ? html` <span class="soft">on ${text(node, 40)}</span>` : nothing}</div>
      ${words ? html`<div>${longText(words, 300)}</div>` : nothing}
      ${target ? html`<a href=${target}>Look at it<span class="only-read">: ${what}</span></a>` : nothing}
    </div>
  </li>`;
}
