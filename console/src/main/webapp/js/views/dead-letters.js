// Messages that could not be sent: the list, and one of them.

import { html, nothing } from '../lit.js';
import { get, getText, Problem, send } from '../api.js';
import { openForm, openPlan } from '../dialogs.js';
import { filterOf, filters } from '../filters.js';
import * as format from '../format.js';
import { aggregate, button, empty, facts, head, linked, longText, number, pager, section, shortId, table, text, when } from '../parts.js';
import { link } from '../router.js';
import { attempts } from './attempts.js';
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
    ${pager(ctx.route, page.next)}`;
}

/** What can be done with all letters of a filter. */
export function letterButtons(filter, ctx) {
  return ctx.can('operator')
    ? html`
        ${button('Discard…', () => plan('discard', filter), { kind: 'second danger-text' })}
        ${button('Redrive…', () => plan('redrive', filter), { kind: '' })}`
    : nothing;
}

function plan(action, filter) {
  const redrives = action === 'redrive';
  openPlan({
    title: redrives ? 'Redrive dead letters' : 'Discard dead letters',
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
      buttons: html`<a class="button second" href=${link(['messages', it.id])}>Its life</a>${ctx.can('editor') ? button('Edit…', () => edit(it, ctx)) : nothing}${letterButtons({ id: it.id }, ctx)}`,
    })}
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

/** Asks for what changes, then shows what that would make of the letter. */
async function edit(it, ctx) {
  const text = it.contentType !== 'application/octet-stream';
  const { seen, refused } = text && ctx.can('payload') ? await loaded(it) : {};
  openForm({
    title: 'Edit a dead letter',
    explanation: seen === undefined
      ? `${refused ? `Its payload cannot be shown: ${refused}.` : text ? 'To see its payload takes the role postbox-payload.' : 'Its payload is octets.'} What you write here replaces all of it; an empty field leaves it as it is.`
      : 'The audit has recorded that you see its payload.',
    verb: 'Preview',
    fields: [
      { name: 'text', label: 'Payload', rows: 12, optional: true, value: seen ?? '', hint: text ? 'Lines end with LF. At most 64 KiB, with the properties.' : 'It has octets: a text turns it into a text message.' },
      { name: 'properties', label: 'Properties', rows: 3, optional: true, hint: 'An empty field leaves them. Otherwise all of them with their types: {"priority":"integer:5","region":"string:north"}' },
    ],
    next: async values => {
      const changes = {
        ...(values.text !== (seen ?? '') ? { text: values.text } : {}),
        ...(values.properties.trim() === '' ? {} : { properties: json(values.properties) }),
      };
      const made = await send('POST', ['outbox', 'edits'], { id: it.id, ...changes });
      openPlan({
        title: 'Edit a dead letter',
        made,
        details: changed,
        verb: () => 'Edit the letter',
        danger: true,
        run: async (plan, { reason }) => link(['dead-letters', (await send('POST', ['outbox', 'edits', plan.id, 'run'], { reason })).message]),
      });
    },
  });
}

async function loaded(it) {
  try {
    return { seen: await getText(['outbox', 'dead-letters', it.id, 'payload']) };
  } catch (failure) {
    return { refused: failure.title ?? 'the server did not answer' };
  }
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem({ title: 'The properties are no JSON', detail: 'Nothing was sent.', wayOut: 'Write an object: {"priority":"integer:5"}' });
  }
}

/** The letter before and after an edit, by its measures. */
export function changed({ source, replyTo, before, after }) {
  const row = (name, value) => ({ name, before: value(before), after: value(after) });
  return html`
    ${table({
      caption: 'Before and after the edit',
      rows: [
        row('Content type', it => text(it.contentType, 40)),
        row('Size', it => format.bytes(it.bytes)),
        row('Fingerprint', it => (it.sha256 ? html`<code>${text(it.sha256, 16)}</code>` : text())),
        row('Properties', it => text(it.properties.join(', '), 80)),
      ],
      columns: [
        { name: 'What', cell: it => it.name },
        { name: 'Before', cell: it => it.before },
        { name: 'After', cell: it => it.after },
      ],
    })}
    ${facts([
      ['Sender', text(source, 80)],
      ['Reply to', replyTo ? html`${text(replyTo, 120)} <span class="soft">the sender chose it; an edit keeps it</span>` : undefined],
    ])}`;
}
