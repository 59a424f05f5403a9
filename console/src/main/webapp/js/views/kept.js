// Parked and quarantined messages: the lists, and one of them.

import { html, nothing } from '../lit.js';
import { get } from '../api.js';
import { openPlan } from '../dialogs.js';
import { filterOf, filters } from '../filters.js';
import * as format from '../format.js';
import { aggregate, badge, button, edited, empty, facts, head, linked, longText, number, pager, section, shortId, table, text, when } from '../parts.js';
import { link } from '../router.js';
import { attempts } from './attempts.js';
import { editMessage } from './edit.js';
import { payload } from './payload.js';

const KINDS = {
  parked: {
    title: 'Parked messages',
    one: 'Parked message',
    lead: 'Their handler could not handle them. They stay until somebody redrives or discards them.',
    emptyTitle: 'Nothing is parked.',
    emptyText: 'A delivery that fails is redelivered with a growing delay. When its attempts are used up, or its handler rejects it for good, it stands here with body, reason and error, and the queue goes on.',
    reasons: {
      TOO_MANY_FAILURES: 'its handler failed too often',
      TOO_MANY_TRANSIENT_FAILURES: 'transient failures, like deadlocks, came too often',
      TOO_MANY_CRASHES: 'the server died too often while it handled it',
      REJECTED: 'its handler rejected it for good',
      VERSION_MISSING: 'a version before it did not arrive; it is released by itself when that was handled',
      EARLY: 'it is buffered until the versions before it were handled',
      NOT_RELEASED: 'its turn came, and it could not be sent to its consumer',
      HELD: 'an operator holds it',
      DELAYED: 'its handler failed, or its time has not come; it is handled when that is due',
      HANDED_BACK: 'a copy of it is on its way to its consumer',
      HANDLER_NOT_REACHED: 'steps before its handler failed too often, such as decrypting it',
      REPLY_NOT_SENT: 'it is handled, and its reply could not be sent; a redrive tries that again',
      TOO_MANY_AGGREGATES: 'the consumer knows as many aggregates as it may',
    },
    discard: 'Discarded messages are deleted.',
    fields: ['consumer', 'messageId', 'reason', 'event', 'aggregateType', 'aggregateId', 'error', 'signature', 'from', 'before'],
  },
  quarantined: {
    title: 'Quarantined messages',
    one: 'Quarantined message',
    lead: 'They have no usable id, or the id of a message that was handled with another body. Find out who sent them before you release them.',
    emptyTitle: 'Nothing is in quarantine.',
    emptyText: 'A delivery without a usable id, and one with a known id but another body, cannot be told from an error or a forgery. It is acknowledged and kept here, so that no handler sees it unasked.',
    reasons: {
      MISSING_ID: 'it has no id',
      MALFORMED_ID: 'its id cannot be read',
      OTHER_CONTENT: 'its id was handled with another body',
      BODY_TOO_LARGE: 'its body is larger than allowed',
      BODY_UNREADABLE: 'its body could not be read',
      NOT_RELEASED: 'it was released, and could not be sent to its consumer',
    },
    fields: ['consumer', 'messageId', 'reason', 'from', 'before'],
  },
};

/** The reasons of those that are not parked yet. */
const GOES_BACK = ['DELAYED', 'HANDED_BACK'];

const VERBS = { redrive: 'Redrive', discard: 'Discard', hold: 'Hold' };

const FIELDS = {
  consumer: { label: 'Consumer' },
  messageId: { label: 'Message id' },
  event: { label: 'Event type' },
  aggregateType: { label: 'Aggregate type' },
  aggregateId: { label: 'Aggregate id' },
  error: { label: 'Error contains' },
  signature: { label: 'Signature' },
  from: { label: 'Kept from', type: 'time' },
  before: { label: 'Kept before', type: 'time' },
};

export const parked = view('parked');
export const quarantined = view('quarantined');

function view(kind) {
  const fields = KINDS[kind].fields.map(name => ({
    name,
    ...(name === 'reason' ? { label: 'Reason', type: 'choice', options: Object.keys(KINDS[kind].reasons) } : FIELDS[name]),
  }));
  return {
    section: kind,
    depth: 2,
    title: ({ parts }) => (parts[1] ? KINDS[kind].one : KINDS[kind].title),
    every: 0,
    load: ({ parts: [, id], query }, signal) =>
      id === undefined ? get(['inbox', kind], query, signal) : get(['inbox', kind, id], {}, signal),
    render: (data, ctx) => (ctx.route.parts[1] === undefined ? list(kind, fields, data, ctx) : one(kind, data, ctx)),
  };
}

function list(kind, fields, page, ctx) {
  const filter = filterOf(ctx.route, fields);
  const { title, lead, emptyTitle, emptyText } = KINDS[kind];
  return html`
    ${head(title, {
      lead,
      buttons: html`${button('Refresh', ctx.reload)}${page.items.length > 0 ? keptButtons(kind, filter, ctx) : nothing}`,
    })}
    ${filters(ctx.route, fields)}
    ${page.items.length > 0
      ? keptTable(kind, page, ctx)
      : Object.keys(filter).length > 0 || ctx.route.query.after
        ? empty('No message meets this filter.', 'Texts compare exactly, letter case included.')
        : empty(emptyTitle, emptyText)}`;
}

export function keptTable(kind, page, ctx, { errors = true } = {}) {
  const isParked = kind === 'parked';
  return html`
    ${table({
      caption: KINDS[kind].title,
      rows: page.items,
      columns: [
        { name: 'Message', cell: it => shortId([kind, it.id], it.messageId ?? `row ${it.id}`) },
        { name: 'Aggregate', cell: aggregate },
        { name: 'Event', cell: it => text(it.eventType, 40) },
        { name: 'Consumer', cell: it => linked(['consumers', it.consumer], it.consumer, 32) },
        { name: 'Reason', cell: it => reason(kind, it) },
        ...(isParked ? [{ name: 'Attempts', numeric: true, cell: it => number(it.attempts) }] : [{ name: 'From', cell: it => html`<div class="stack">${text(it.destination, 40)}${it.source ? html`<span class="soft">${text(it.source, 40)}, it says</span>` : nothing}</div>` }]),
        { name: isParked ? 'Parked' : 'Received', cell: it => when(it.parkedAt ?? it.receivedAt) },
        ...(isParked && errors ? [{ name: 'Error', wide: true, cell: it => html`<div class="stack">${longText(it.error, 140)}
            ${it.signature ? html`<a class="small" href=${link(['failures', 'inbox', it.signature])}>same cause</a>` : nothing}</div>` }] : []),
      ],
    })}
    ${pager(ctx.route, page.next, errors ? ['inbox', kind] : undefined)}`;
}

function reason(kind, it) {
  return html`<span title=${KINDS[kind].reasons[it.reason] ?? ''}>${text(it.reason, 40)}</span>`;
}

/** The actions on all messages of a filter; or on one message, if that is given. */
export function keptButtons(kind, filter, ctx, one) {
  return ctx.can('operator')
    ? html`
        ${button('Discard…', () => plan(kind, 'discard', filter, one), { kind: 'second danger-text' })}
        ${kind === 'parked' && GOES_BACK.includes(one?.reason ?? filter.reason) ? button('Hold…', () => plan(kind, 'hold', filter, one)) : nothing}
        ${button(kind === 'parked' ? 'Redrive…' : 'Release…', () => plan(kind, 'redrive', filter, one), { kind: '' })}`
    : nothing;
}

/** The actions on one message. Their filter says more than its row's number: the audit has it. */
export function keptOneButtons(kind, it, ctx) {
  const { consumer, messageId, aggregateType, aggregateId } = it;
  return keptButtons(kind, {
    id: String(it.id),
    consumer,
    ...(messageId ? { messageId } : {}),
    ...(GOES_BACK.includes(it.reason) ? { reason: it.reason } : {}),
    ...(kind === 'parked' && aggregateType && aggregateId ? { aggregateType, aggregateId } : {}),
  }, ctx, it);
}

function plan(kind, action, filter, one) {
  const redrives = action === 'redrive';
  const verb = redrives && kind !== 'parked' ? 'Release' : VERBS[action];
  openPlan({
    title: `${verb} ${one ? `a ${KINDS[kind].one.toLowerCase()}` : KINDS[kind].title.toLowerCase()}`,
    request: { parts: ['inbox', 'plans'], body: { kind, action, filter } },
    verb: messages => `${verb} ${format.counted(messages, 'message')}`,
    danger: action === 'discard',
    paced: redrives,
    choice: redrives && (!one || one.replyTo)
      ? { name: 'replies', label: one ? 'The reply that its sender asked for' : 'Replies that the senders asked for', options: one ? [['keep', 'send it, where the consumer allows it'], ['drop', 'send none']] : [['keep', 'send them, where the consumer allows it'], ['drop', 'send none']] }
      : undefined,
  });
}

function one(kind, it, ctx) {
  const why = KINDS[kind].reasons[it.reason];
  const id = it.messageId;
  return html`
    ${head(KINDS[kind].one, {
      lead: id ? html`<bdi class="id">${id}</bdi>` : 'It has no usable id.',
      buttons: html`
        ${id ? html`<a class="button second" href=${link(['messages', id])}>Its life</a>` : nothing}
        ${kind === 'parked' && it.reason !== 'REPLY_NOT_SENT' && !GOES_BACK.includes(it.reason) && ctx.can('editor') ? button('Edit…', () => edit(it, ctx)) : nothing}
        ${keptOneButtons(kind, it, ctx)}`,
    })}
    ${it.edited ? edited(it.edited, 'the fingerprint is that of the body as it was received') : nothing}
    ${facts([
      ['Reason', html`${badge('wait', it.reason)} ${why ?? nothing}`],
      ['Error', it.error ? longText(it.error, 600) : undefined],
      ['Same cause', it.signature ? html`<a href=${link(['failures', 'inbox', it.signature])}>all messages with this error</a>` : undefined],
      ['Consumer', linked(['consumers', it.consumer], it.consumer, 80)],
      ['Received from', it.destination ? text(it.destination, 120) : undefined],
      ['Sender', it.source ? html`${text(it.source, 120)}${kind === 'quarantined' ? html` <span class="soft">as it says itself</span>` : nothing}` : undefined],
      ['Reply to', it.replyTo ? html`${text(it.replyTo, 120)} <span class="soft">the sender chose it</span>` : undefined],
      ['Event type', it.eventType ? text(it.eventType, 120) : undefined],
      ['Aggregate', it.aggregateType || it.aggregateId ? html`${aggregate(it)}${it.aggregateVersion !== undefined && it.aggregateVersion !== null ? html` <span class="soft">version ${format.count(it.aggregateVersion)}</span>` : nothing}` : undefined],
      ['Attempts', it.attempts === undefined ? undefined : number(it.attempts)],
      [kind === 'parked' ? 'Parked' : 'Received', when(it.parkedAt ?? it.receivedAt)],
      ['Body', html`${text(it.bodyType, 40)}${it.encrypted ? ', stored encrypted' : nothing}`],
      ['Fingerprint', html`<code>${text(it.fingerprint, 80)}</code>`],
      ['Fingerprint of the handled body', it.storedFingerprint ? html`<code>${text(it.storedFingerprint, 80)}</code>` : undefined],
      ['Released as', it.releasedAs ? html`<code>${text(it.releasedAs, 80)}</code>` : undefined],
    ])}
    ${kind === 'parked' || it.failures?.length > 0 ? section('Attempts', attempts(it.failures)) : nothing}
    ${payload(['inbox', kind, it.id], ctx)}`;
}

function edit(it, ctx) {
  editMessage({
    title: 'Edit a parked message',
    module: 'inbox',
    parts: ['inbox', 'parked', it.id],
    it,
    isText: it.bodyType === 'TEXT' || it.bodyType === 'TEXT_UTF16',
    properties: 'Those that change or come; the others stay.',
    then: id => link(['parked', id]),
  }, ctx);
}
