// Where messages are sent to: how many wait, why, and the switches.

import { html, nothing } from '../lit.js';
import { get, getAll, send } from '../api.js';
import { askReason, openPlan } from '../dialogs.js';
import * as format from '../format.js';
import { actor, badge, button, empty, facts, head, linked, longText, number, section, table, text, when } from '../parts.js';
import { link } from '../router.js';
import { policySection } from './policies.js';

export const destinations = {
  section: 'destinations',
  depth: 2,
  title: ({ parts }) => parts[1] ?? 'Destinations',
  every: 5_000,
  load: async ({ parts: [, name] }, signal) => {
    const all = await getAll(['destinations'], signal);
    if (name === undefined || all.items.some(it => it.name === name)) {
      return all;
    }
    const { items } = await get(['destinations'], { name }, signal); // the server may have it, and nobody used it yet
    return { ...all, items: [...all.items, ...items.filter(it => it.name === name)] };
  },

  render({ items, allPaused }, ctx) {
    const name = ctx.route.parts[1];
    return name === undefined ? all(items, allPaused, ctx) : one(name, items, allPaused, ctx);
  },
};

function all(items, allPaused, ctx) {
  return html`
    ${head('Destinations', {
      lead: 'Each has a circuit breaker of its own: one that does not answer delays no other. Numbers of messages are up to 5 seconds old.',
      buttons: ctx.can('operator')
        ? allPaused
          ? button('Resume all…', () => flip(['relay'], false, 'all destinations', ctx))
          : button('Pause all…', () => flip(['relay'], true, 'all destinations', ctx))
        : nothing,
    })}
    ${allPaused ? pausedNote('Everything is paused', allPaused) : nothing}
    ${items.length === 0
      ? empty('No destination has messages.', 'A destination appears when a message is enqueued for it, or when it is listed in postbox.outbox.destinations.')
      : table({
          caption: 'Destinations',
          rows: items,
          columns: [
            { name: 'Destination', cell: it => linked(['destinations', it.name], it.name, 48) },
            { name: 'State', wide: true, cell: state },
            { name: 'Pending', numeric: true, cell: it => number(it.pending, it) },
            { name: 'Held', numeric: true, cell: it => number(it.held, it) },
            { name: 'Delayed', numeric: true, cell: it => number(it.delayed, it) },
            { name: 'Dead', numeric: true, cell: it => it.dead > 0 ? html`<a href=${link(['dead-letters'], { destination: it.name })}>${number(it.dead, { trouble: true })}</a>` : number(it.dead) },
            { name: 'Oldest', numeric: true, cell: it => (it.pending > 0 ? format.duration(it.oldestPendingSeconds) : text()) },
            ...(ctx.can('operator') ? [{ name: 'Actions', quiet: true, cell: it => pauseButton('destinations', it, ctx) }] : []),
          ],
        })}`;
}

function one(name, items, allPaused, ctx) {
  const it = items.find(item => item.name === name);
  if (it === undefined) {
    return unknown('destinations', name, items, 'No message waits for it or died, and no node has sent to it since its start; nothing of it is paused, redirected, set or configured, and the server has no jms/ name for it. It appears when a message is enqueued for it.');
  }
  const operator = ctx.can('operator');
  return html`
    ${head(text(name, 120), { buttons: operator ? pauseButton('destinations', it, ctx) : nothing })}
    ${allPaused ? pausedNote('Everything is paused', allPaused) : nothing}
    ${facts([
      ['State', state(it)],
      ['Pending', number(it.pending, it)],
      ['Held behind others', number(it.held, it)],
      ['Delayed', number(it.delayed, it)],
      ['Dead letters', it.dead > 0 ? html`<a href=${link(['dead-letters'], { destination: name })}>${number(it.dead, { trouble: true })}</a>` : number(it.dead)],
      ['Oldest pending', it.pending > 0 ? format.duration(it.oldestPendingSeconds) : undefined],
      ['Sent by the node that answers', it.relayed === undefined ? undefined : number(it.relayed)],
      ['Failed attempts there', it.attemptsFailed === undefined ? undefined : number(it.attemptsFailed)],
    ])}
    ${section('Circuit breakers', it.breakers?.length > 0
      ? table({
          caption: 'Open circuit breakers by node',
          rows: it.breakers,
          columns: [
            { name: 'Node', cell: breaker => text(breaker.node, 40) },
            { name: 'State', cell: breaker => badge('harm', breaker.state === 'HALF_OPEN' ? 'Probing' : 'Open') },
            { name: 'Since', cell: breaker => when(breaker.since) },
            { name: 'Next probe', cell: breaker => when(breaker.probeAt) },
            { name: 'Failures in a row', numeric: true, cell: breaker => number(breaker.failures) },
            { name: 'Last error', wide: true, cell: breaker => longText(breaker.error) },
          ],
        })
      : empty('All circuits are closed.', 'A circuit opens when the broker or the destination does not answer. Messages wait then, no attempt is counted, and one message at a time probes whether it is back.'))}
    ${section('Redirect', html`
      ${it.redirect
        ? html`<p>Everything enqueued for this destination is sent to ${linked(['destinations', it.redirect.target], it.redirect.target, 60)} instead, since ${when(it.redirect.since)}, by ${actor(it.redirect.principal)}: ${text(it.redirect.reason, 300)}</p>`
        : html`<p class="soft">Messages that wait for a mistyped or abandoned name can be sent to another one, in their order.</p>`}
      ${operator ? html`<div class="buttons">
        ${it.redirect ? button('End the redirect…', () => endRedirect(name, ctx)) : nothing}
        ${button(it.redirect ? 'Change the redirect…' : 'Redirect…', () => redirect(it, items, ctx))}
      </div>` : nothing}`)}
    ${policySection('destinations', it, ctx)}
    ${operator ? section('Discard what waits', html`
      <p class="soft">Moves all waiting messages to the archive as discarded. They are not sent. Dead letters stay.</p>
      <div class="buttons">${button('Discard waiting messages…', () => discardWaiting(name, ctx), { kind: 'second danger-text' })}</div>`) : nothing}`;
}

function state(it) {
  const open = it.breakers ?? [];
  return html`<div class="stack">
    ${it.paused ? html`<div>${badge('wait', 'Paused')} ${when(it.paused.since)} by ${actor(it.paused.principal, 30)}: ${text(it.paused.reason, 100)}</div>` : nothing}
    ${open.length > 0 ? html`<div>${badge('harm', open.some(breaker => breaker.state === 'OPEN') ? 'Circuit open' : 'Probing')}
      ${open.length > 1 ? `on ${open.length} nodes, ` : nothing}since ${when(open[0].since)}, probe ${when(open[0].probeAt)} <span class="soft">${text(open[0].error, 110)}</span></div>` : nothing}
    ${it.redirect ? html`<div>${badge('wait', 'Redirected')} to ${text(it.redirect.target, 40)}</div>` : nothing}
    ${it.policy ? html`<div>${badge('notice', 'Policy')} by ${actor(it.policy.principal, 30)}</div>` : nothing}
    ${!it.paused && open.length === 0 ? badge('good', 'Sending') : nothing}
  </div>`;
}

export function pausedNote(title, { reason, principal, since }) {
  return html`<p class="note">${badge('wait', 'Paused')} <strong>${title}</strong> since ${when(since)}, by ${actor(principal)}: ${text(reason, 200)}</p>`;
}

/** Pauses or resumes one of a list. */
export function pauseButton(list, it, ctx) {
  const label = it.paused ? 'Resume' : 'Pause';
  return button(`${label}…`, () => flip([list, it.name], !it.paused, it.name, ctx), { name: `${label} ${it.name}…` });
}

const FLIPS = {
  destinations: ['All nodes stop sending, also after a restart, until somebody resumes. The application enqueues as before, so the backlog grows.', 'All nodes send again.'],
  consumers: ['All nodes stop handling its captured messages, also after a restart, until somebody resumes. Deliveries are captured as before, so the backlog grows. Handlers that run now go on to their end.', 'All nodes handle its captured messages again.'],
};

function flip(parts, pauses, name, ctx) {
  const verb = pauses ? 'Pause' : 'Resume';
  askReason({
    title: html`${verb} ${text(name, 60)}`,
    explanation: (FLIPS[parts[0]] ?? FLIPS.destinations)[pauses ? 0 : 1],
    verb,
    run: ({ reason }) => send('POST', [...parts, verb.toLowerCase()], { reason }),
    done: ({ changed }) => ctx.told(changed === false ? 'It was so already.' : `${verb}d: ${name}`)(),
  });
}

function redirect({ name, redirect: before }, items, ctx) {
  openPlan({
    title: before ? html`Change the redirect of ${text(name, 60)}` : html`Redirect ${text(name, 60)}`,
    lasting: true,
    request: { parts: ['outbox', 'plans'], body: { action: 'redirect', destination: name, filter: {} } },
    verb: messages => (messages > 0 ? `Redirect ${format.counted(messages, 'message')}` : 'Redirect what comes'),
    fields: [{
      name: 'target',
      label: 'Send to',
      value: before?.target ?? '',
      known: items.map(it => it.name).filter(it => it !== name),
      hint: 'The logical name of the other destination, which has to be known. It takes messages that are enqueued later, too, until somebody ends the redirect.',
    }],
    run: async (plan, { target, reason }) => {
      await send('POST', ['destinations', name, 'redirect'], { target, reason, plan: plan.id });
    },
    done: ctx.told(`Redirected: ${name}`),
  });
}

/** Nothing is known under a name: the address is mistyped, or there is nothing left of it. */
export function unknown(list, name, items, why) {
  const one = list.slice(0, -1);
  return html`
    ${head(text(name, 120), { lead: html`${badge('wait', `Unknown ${one}`)}` })}
    ${empty(`No ${one} of this name is known.`, why)}
    ${items.length > 0 ? html`<p>Known are: ${items.slice(0, 20).map((it, index) => html`${index > 0 ? ', ' : ''}${linked([list, it.name], it.name, 40)}`)}${items.length > 20 ? html` and <a href=${link([list])}>others</a>` : nothing}.</p>` : nothing}`;
}

function endRedirect(name, ctx) {
  askReason({
    title: html`End the redirect of ${text(name, 60)}`,
    explanation: 'Messages that were not sent yet go to the destination they were enqueued for.',
    verb: 'End the redirect',
    run: ({ reason }) => send('DELETE', ['destinations', name, 'redirect'], { reason }),
    done: ctx.told(`The redirect of ${name} has ended`),
  });
}

function discardWaiting(name) {
  openPlan({
    title: html`Discard what waits for ${text(name, 60)}`,
    request: { parts: ['outbox', 'plans'], body: { action: 'discard-waiting', destination: name, filter: {} } },
    verb: messages => `Discard ${format.counted(messages, 'message')}`,
    danger: true,
  });
}
