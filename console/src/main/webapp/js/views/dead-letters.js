// Messages that could not be sent: the list, and one of them.

import { html, nothing } from '../lit.js';
import { get } from '../api.js';
import { openPlan } from '../dialogs.js';
import { filterOf, filters } from '../filters.js';
import * as format from '../format.js';
import { aggregate, button, edited, empty, facts, head, linked, longText, number, pager, section, shortId, table, text, when } from '../parts.js';
import { link } from '../router.js';
import { attempts } from './attempts.js';
import { editMessage } from './edit.js';
import { payload } from './payload.js';

export const letterFields = [
  { name: 'destination', label: 'Destination' },
  { name: 'event', label: 'Event type' },
  { name: 'aggregateType', label: 'Aggregate type' },
  { name: 'aggregateId', label: 'Aggregate id' },
  { name: 'key', label: 'Ordering key' },
  { name: 'error', label: 'Error contains' },
  { name: 'signature', label: 'Signature' },
  { name: 'id', label: 'Message id' },
  { name: 'from', label: 'Enqueued from', type: 'time' },
  { name: 'before', label: 'Enqueued before', type: 'time' },
];

export const deadLetters = {
  section: 'dead-letters',
  depth: 2,
  title: ({ parts }) => (parts[1] ? 'Dead letter' : 'Dead letters'),
  every: 0,

  load({ parts: [, id], query }, signal) {
    return id === undefined
      ? get(['outbox', 'dead-letters'], query, signal)
      : get(['outbox', 'dead-letters', id], {}, signal);
  },

  render(data, ctx) {
    return ctx.route.parts[1] === undefined ? list(data, ctx) : one(data, ctx);
  },
};

function list(page, ctx) {
  const filter = filterOf(ctx.route, letterFields);
  const filtered = Object.keys(filter).length > 0;
  return html`
    ${head('Dead letters', {
      lead: 'They used up their attempts, and stay until somebody redrives or discards them.',
      buttons: html`${button('Refresh', ctx.reload)}${page.items.length > 0 ? letterButtons(filter, ctx) : nothing}`,
    })}
    ${filters(ctx.route, letterFields)}
    ${page.items.length > 0
      ? letterTable(page, ctx)
      : filtered || ctx.route.query.after
        ? empty('No dead letter meets this filter.', 'Texts compare exactly, letter case included.')
        : empty('There are no dead letters.', 'A message that cannot be sent is retried with a growing delay. When its attempts are used up, it stands here with its error, and messages with the same ordering key wait behind it.')}`;
}

/** The actions on one letter. Their filter says more than its id: the audit has it. */
export function letterOneButtons({ id, aggregateType, aggregateId }, ctx) {
  return letterButtons({ id, ...(aggregateType && aggregateId ? { aggregateType, aggregateId } : {}) }, ctx, true);
}

/** A page of letters, the heads of their keys, and how many wait behind each. */
export function letterTable(page, ctx, { errors = true } = {}) {
  const counted = page.items.some(it => typeof it.followers === 'number');
  return html`
    ${table({
      caption: 'Dead letters in the order in which they were enqueued',
      rows: page.items,
      columns: [
        { name: 'Message', cell: it => shortId(['dead-letters', it.id], it.id) },
        { name: 'Aggregate', cell: aggregate },
        { name: 'Event', cell: it => text(it.eventType, 40) },
        { name: 'Destination', cell: it => linked(['destinations', it.destination], it.destination, 32) },
        ...(counted
          ? [{ name: 'Behind it', numeric: true, cell: it => number(it.followers, it) }]
          : [{ name: 'Holds the key', cell: it => text(it.orderingKey, 40) }]),
        { name: 'Attempts', numeric: true, cell: it => number(it.attempts) },
        { name: 'Died', cell: it => when(it.diedAt) },
        ...(errors ? [{ name: 'Error', wide: true, cell: it => html`<div class="stack">${longText(it.lastError, 140)}
            ${it.signature ? html`<a class="small" href=${link(['failures', 'outbox', it.signature])}>same cause</a>` : nothing}</div>` }] : []),
      ],
    })}
    ${pager(ctx.route, page.next, ['outbox', 'dead-letters'])}`;
}

/** The actions on all letters of a filter; or on one letter, if that is given. */
export function letterButtons(filter, ctx, one) {
  return ctx.can('operator')
    ? html`
        ${button('Discard…', () => plan('discard', filter, one), { kind: 'second danger-text' })}
        ${button('Redrive…', () => plan('redrive', filter, one), { kind: '' })}`
    : nothing;
}

function plan(action, filter, one) {
  const redrives = action === 'redrive';
  openPlan({
    title: `${redrives ? 'Redrive' : 'Discard'} ${one ? 'a dead letter' : 'dead letters'}`,
    request: { parts: ['outbox', 'plans'], body: { action, filter } },
    verb: messages => `${redrives ? 'Redrive' : 'Discard'} ${format.counted(messages, 'message')}`,
    danger: !redrives,
    paced: redrives,
  });
}

function one(it, ctx) {
  return html`
    ${head('Dead letter', {
      lead: html`<bdi class="id">${it.id}</bdi>`,
      buttons: html`<a class="button second" href=${link(['messages', it.id])}>Its life</a>${ctx.can('editor') ? button('Edit…', () => edit(it, ctx)) : nothing}${letterOneButtons(it, ctx)}`,
    })}
    ${it.edited ? edited(it.edited) : nothing}
    ${facts([
      ['Error', longText(it.lastError, 600)],
      ['Same cause', it.signature ? html`<a href=${link(['failures', 'outbox', it.signature])}>all messages with this error</a>` : undefined],
      ['Destination', linked(['destinations', it.destination], it.destination, 80)],
      ['Event type', it.eventType ? html`${text(it.eventType, 120)}${it.schemaVersion ? html` <span class="soft">version ${text(it.schemaVersion, 40)}</span>` : nothing}` : undefined],
      ['Aggregate', it.aggregateType || it.aggregateId ? aggregate(it) : undefined],
      ['Ordering key', it.orderingKey ? html`${text(it.orderingKey, 120)}${typeof it.followers === 'number' ? html`, ${format.counted(it.followers, 'message waits', 'messages wait', it.more)} behind it` : nothing}` : undefined],
      ['Content type', text(it.contentType, 80)],
      ['Attempts', number(it.attempts)],
      ['Enqueued', when(it.enqueuedAt)],
      ['Died', when(it.diedAt)],
      ['Trace', it.traceParent ? html`<code>${text(it.traceParent, 80)}</code>` : undefined],
    ])}
    ${section('Attempts', attempts(it.failures))}
    ${payload(['outbox', 'dead-letters', it.id], ctx)}`;
}

function edit(it, ctx) {
  editMessage({
    title: 'Edit a dead letter',
    module: 'outbox',
    parts: ['outbox', 'dead-letters', it.id],
    it,
    isText: it.contentType !== 'application/octet-stream',
    properties: 'An empty field leaves them. Otherwise all of them.',
    then: id => link(['dead-letters', id]),
  }, ctx);
}
