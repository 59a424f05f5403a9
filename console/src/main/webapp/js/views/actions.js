// Actions in the background: they run on the server, and go on when this page is closed.

import { html, nothing } from '../lit.js';
import { get, send } from '../api.js';
import { askReason } from '../dialogs.js';
import * as format from '../format.js';
import { places } from './erasure.js';
import { actor, announce, badge, button, empty, facts, head, longText, pager, shortId, table, text, when } from '../parts.js';

const STATES = {
  RUNNING: ['notice', 'Running'],
  PAUSED: ['wait', 'Paused'],
  DONE: ['good', 'Done'],
  CANCELLED: ['wait', 'Cancelled'],
  FAILED: ['harm', 'Failed'],
};

const VERBS = {
  pause: ['Pause', 'It stops after the message at hand, and waits until somebody resumes it.'],
  resume: ['Resume', 'It goes on where it stopped.'],
  cancel: ['Cancel', 'The finished part stays done. The rest stays as it is, and another plan finds it.'],
};

const seen = {}; // the first look at the action that is shown
const LONGEST_STANDSTILL_MILLIS = 30_000;

export const actions = {
  section: 'actions',
  depth: 2,
  title: ({ parts }) => (parts[1] ? 'Action' : 'Actions'),
  every: data => (runs(data) ? 2_000 : 10_000),

  load: ({ parts: [, id], query }, signal) =>
    id === undefined ? get(['actions'], query, signal) : withReport(id, signal),

  render(data, ctx) {
    return ctx.route.parts[1] === undefined ? list(data, ctx) : one(data, ctx);
  },
};

function runs(data) {
  return data?.state === 'RUNNING' || data?.items?.some(it => it.state === 'RUNNING');
}

/** An erasure has a report of its own. */
async function withReport(id, signal) {
  const action = await get(['actions', id], {}, signal);
  return action.kind === 'erase' ? { ...action, erased: (await get(['erasures', id], {}, signal)).places } : action;
}

function list(page, ctx) {
  return html`
    ${head('Actions', { lead: 'Redrives, discards and erasures run on the server, one at a time, and go on when this page is closed or a node ends.' })}
    ${page.items.length === 0
      ? empty('No action was started.', 'Open a cause of failures, a dead letter or a parked message, and choose Redrive or Discard: its plan says in numbers what it will do, and its progress stands here.')
      : html`${table({
          caption: 'Actions, the latest first',
          rows: page.items,
          columns: [
            { name: 'Action', cell: it => html`${shortId(['actions', it.id], kind(it))}` },
            { name: 'State', cell: state },
            { name: 'Progress', wide: true, cell: it => progress(it) },
            { name: 'Who', cell: it => actor(it.principal, 32) },
            { name: 'Why', wide: true, cell: it => text(it.reason, 80) },
            { name: 'Started', cell: it => when(it.startedAt) },
          ],
        })}${pager(ctx.route, page.next)}`}`;
}

/** Whether it ended with messages that it did not find any more. */
function missed(it) {
  return it.state === 'DONE' && it.done < it.total;
}

function one(it, ctx) {
  const buttons = html`
        ${it.state === 'RUNNING' && may('pause', it, ctx) ? button('Pause…', () => change(it, 'pause', ctx)) : nothing}
        ${(it.state === 'PAUSED' || it.state === 'FAILED') && may('resume', it, ctx) ? button('Resume…', () => change(it, 'resume', ctx)) : nothing}
        ${(it.state === 'RUNNING' || it.state === 'PAUSED') && may('cancel', it, ctx) ? button('Cancel…', () => change(it, 'cancel', ctx), { kind: 'second danger-text' }) : nothing}`;
  const tenths = it.total > 0 && (it.state !== 'DONE' || missed(it)) ? Math.floor((10 * it.done) / it.total) : 10;
  if (it.state !== 'RUNNING') {
    seen.id = undefined;
  }
  announce(`${kind(it)}: ${missed(it) ? 'Done in part' : (STATES[it.state] ?? [, it.state])[1]}, ${tenths * 10} percent of ${format.counted(it.total, 'message')}`);
  return html`
    ${head(text(kind(it), 60), { lead: html`${state(it)} started ${when(it.startedAt)} by ${actor(it.principal)}`, buttons })}
    <div class="action-progress">
      ${progress(it)}
      ${it.state === 'RUNNING' && remaining(it) ? html`<p class="soft">About ${remaining(it)} to go at the present pace.</p>` : nothing}
    </div>
    ${it.failedAgain > 0 ? html`<p class="note">${badge('harm', 'Failed again')} ${format.counted(it.failedAgain, 'message')}: the cause is not mended. <a href="#/failures">See the failures</a></p>` : nothing}
    ${missed(it) ? html`<p class="note">${badge('wait', it.done === 0 ? 'Nothing was changed' : 'Not all')} ${format.counted(it.total - it.done, 'message was', 'messages were')} not changed: somebody else had redriven, discarded or changed what the plan had counted, or it could not be sent and stays. <a href="#/audit">See the audit</a></p>` : nothing}
    ${it.error ? html`<p class="note">${badge(it.state === 'FAILED' ? 'harm' : 'wait', 'Note')} ${longText(it.error, 300)}</p>` : nothing}
    ${it.erased?.length > 0 ? places(it.erased) : nothing}
    ${facts([
      ['On what', it.subject ? text(it.subject, 300) : undefined],
      ['Reason', text(it.reason, 500)],
      ['Last change', when(it.changedAt)],
      ['Id', html`<code>${text(it.id, 60)}</code>`],
    ])}
    <p><a href="#/actions">All actions</a> · <a href="#/audit">Audit</a></p>`;
}

/** Erasures destroy for good, and the law may ask for them: operators may stop them for the time being, no more. */
function may(verb, { kind: what }, ctx) {
  return what === 'erase' ? ctx.can('eraser') || (verb === 'pause' && ctx.can('operator')) : ctx.can('operator');
}

function change(it, verb, ctx) {
  const [label, explanation] = VERBS[verb];
  askReason({
    title: html`${label}: ${text(kind(it), 60)}`,
    explanation,
    verb: verb === 'cancel' ? 'Cancel the action' : label,
    danger: verb === 'cancel',
    run: ({ reason }) => send('POST', ['actions', it.id, verb], { reason }),
    done: ctx.reload,
  });
}

function progress(it) {
  const label = `${format.count(it.done)} of ${format.count(it.total)}`;
  return html`<div class="progress">
    <progress max=${Math.max(1, it.total ?? 1)} value=${it.done ?? 0} aria-label="Progress of ${kind(it)}"></progress>
    <span class="numeric">${label}</span>
  </div>`;
}

function state(it) {
  const [look, word] = missed(it)
    ? ['wait', it.done === 0 ? 'Done, nothing changed' : 'Done in part']
    : STATES[it.state] ?? ['notice', String(it.state)];
  return badge(look, word);
}

function kind(it) {
  return String(it.kind ?? 'action').toLowerCase().replaceAll(/[_.-]/g, ' ').replace(/^./, letter => letter.toUpperCase());
}

/** By the pace since the page was opened, or since it last stood still: it waited for a node or for a person then. */
function remaining({ id, done, total }) {
  const now = format.now();
  if (seen.id !== id || done < seen.done || now - seen.moved > LONGEST_STANDSTILL_MILLIS) {
    Object.assign(seen, { id, done, at: now, last: done, moved: now });
  } else if (done > seen.last) {
    Object.assign(seen, { last: done, moved: now });
  }
  const [more, seconds] = [done - seen.done, (now - seen.at) / 1000];
  return more > 0 && seconds > 0 ? format.duration(Math.ceil(((total - done) * seconds) / more)) : undefined;
}
