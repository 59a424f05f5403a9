// What operators have set in place of the configuration: policies, redirects and pauses.

import { html, nothing } from '../lit.js';
import { getAll, ifThere, send } from '../api.js';
import { askReason } from '../dialogs.js';
import * as format from '../format.js';
import { actor, badge, button, empty, head, linked, longText, section, table, text, when } from '../parts.js';

const ON_DEAD_LETTER = [['', 'as configured'], ['hold', 'hold what is behind a dead letter'], ['continue', 'continue with what is behind it']];

/** What a policy can say, in the order of the form. */
const VALUES = [
  { name: 'maxAttempts', label: 'Attempts at most', hint: '1 to 1,000,000. Empty: as configured.' },
  { name: 'backoffFirstSeconds', label: 'First wait, in seconds', hint: 'The longest wait after the first failure; it doubles with each further one.' },
  { name: 'backoffMaxSeconds', label: 'Longest wait, in seconds', hint: 'At most 86400, a day.' },
];

export const policies = {
  section: 'policies',
  title: () => 'Policies',
  every: 15_000,

  async load(_, signal) {
    const [destinations, consumers] = await Promise.all(['destinations', 'consumers'].map(list => ifThere(getAll([list], signal))));
    return { destinations, consumers };
  },

  render({ destinations, consumers }, ctx) {
    const all = [
      ...(destinations?.items ?? []).map(it => ({ ...it, list: 'destinations' })),
      ...(consumers?.items ?? []).map(it => ({ ...it, list: 'consumers' })),
    ];
    const set = all.filter(it => it.policy);
    const paused = [...(destinations?.allPaused ? [{ name: 'all destinations', paused: destinations.allPaused }] : []), ...all.filter(it => it.paused)];
    const redirected = all.filter(it => it.redirect);
    return html`
      ${head('Policies', {
        lead: 'Operators set them in place of the configuration while the servers run. They hold on all nodes, also after a restart, until somebody ends them.',
        buttons: ctx.can('operator')
          ? html`${destinations ? button('Set one of a destination…', () => choose('destinations', destinations, ctx)) : nothing}
              ${consumers ? button('Set one of a consumer…', () => choose('consumers', consumers, ctx)) : nothing}`
          : nothing,
      })}
      ${set.length === 0
        ? empty('No policy is set.', 'Attempts and waits are as configured. A policy changes them for one destination or one consumer, for instance while the other side is slow.')
        : table({
            caption: 'Policies',
            rows: set,
            columns: [
              ...common,
              { name: 'Policy', wide: true, cell: it => text(words(it.policy), 160) },
              ...who('policy'),
              ...(ctx.can('operator') ? [{ name: 'Actions', quiet: true, cell: it => policyButtons(it.list, it, ctx) }] : []),
            ],
          })}
      ${redirected.length > 0 ? section('Redirects', table({
        caption: 'Redirected destinations',
        rows: redirected,
        columns: [...common, { name: 'Sent to', cell: it => linked(['destinations', it.redirect.target], it.redirect.target, 40) }, ...who('redirect')],
      })) : nothing}
      ${paused.length > 0 ? section('Pauses', table({
        caption: 'What is paused',
        rows: paused,
        columns: [...common, ...who('paused')],
      })) : nothing}
      <p><a href="#/configuration">Configuration</a> has each value with its source. <a href="#/audit">Audit</a></p>`;
  },
};

const common = [
  { name: 'Of', cell: it => html`<div class="stack">${it.list ? linked([it.list, it.name], it.name, 48) : text(it.name)}<span>${badge(it.list === 'consumers' ? 'inbox' : 'outbox', it.list === 'consumers' ? 'consumer' : 'destination')}</span></div>` },
];

function who(setting) {
  return [
    { name: 'Since', cell: it => when(it[setting].since) },
    { name: 'Who', cell: it => actor(it[setting].principal, 40) },
    { name: 'Why', wide: true, cell: it => longText(it[setting].reason, 160) },
  ];
}

/** What a policy says, in words. */
function words({ maxAttempts, backoffFirstSeconds, backoffMaxSeconds, onDeadLetter }) {
  return [
    maxAttempts === undefined ? undefined : format.counted(maxAttempts, 'attempt'),
    backoffFirstSeconds === undefined ? undefined : `first wait ${format.duration(backoffFirstSeconds)}`,
    backoffMaxSeconds === undefined ? undefined : `longest wait ${format.duration(backoffMaxSeconds)}`,
    onDeadLetter === undefined ? undefined : `behind a dead letter: ${onDeadLetter}`,
  ].filter(Boolean).join(', ');
}

/** The policy of a destination or a consumer, on its page. */
export function policySection(list, it, ctx) {
  const { policy } = it;
  return section('Policy', html`
    ${policy
      ? html`<p>${badge('notice', 'Policy')} ${text(words(policy), 160)}, since ${when(policy.since)}, by ${actor(policy.principal)}: ${text(policy.reason, 300)}</p>`
      : html`<p class="soft">Attempts and waits are as configured.</p>`}
    ${ctx.can('operator') ? html`<div class="buttons">${policyButtons(list, it, ctx)}</div>` : nothing}`);
}

function policyButtons(list, it, ctx) {
  return html`${it.policy ? button('End it…', () => end(list, it.name, ctx), { name: `End the policy of ${it.name}…` }) : nothing}
    ${button(it.policy ? 'Change it…' : 'Set a policy…', () => ask(list, it, ctx), { name: `${it.policy ? 'Change' : 'Set'} the policy of ${it.name}…` })}`;
}

function choose(list, { items }, ctx) {
  ask(list, { known: items.map(it => it.name) }, ctx);
}

function ask(list, { name, policy = {}, known }, ctx) {
  askReason({
    title: name ? html`The policy of ${text(name, 60)}` : `The policy of a ${list.slice(0, -1)}`,
    explanation: 'It replaces an earlier policy; what is left empty is as configured.',
    verb: 'Set the policy',
    fields: [
      ...(name ? [] : [{ name: 'name', label: list === 'consumers' ? 'Consumer' : 'Destination', known }]),
      ...VALUES.map(field => ({ ...field, optional: true, value: String(policy[field.name] ?? '') })),
      ...(list === 'destinations' ? [{ name: 'onDeadLetter', label: 'Behind a dead letter', options: ON_DEAD_LETTER, value: policy.onDeadLetter ?? '' }] : []),
    ],
    run: ({ name: chosen, reason, onDeadLetter, ...values }) => send('PUT', [list, name ?? chosen, 'policy'], {
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '').map(([key, value]) => [key, Number.isFinite(Number(value)) ? Number(value) : value])),
      ...(onDeadLetter ? { onDeadLetter } : {}),
      reason,
    }),
    done: ctx.told('The policy is set'),
  });
}

function end(list, name, ctx) {
  askReason({
    title: html`End the policy of ${text(name, 60)}`,
    explanation: 'What is configured holds again, on all nodes.',
    verb: 'End the policy',
    run: ({ reason }) => send('DELETE', [list, name, 'policy'], { reason }),
    done: ctx.told(`The policy of ${name} has ended`),
  });
}
