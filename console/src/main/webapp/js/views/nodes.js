// The nodes, whether they live, and the work that each holds.

import { html, nothing } from '../lit.js';
import { get } from '../api.js';
import { badge, empty, head, linked, number, section, table, text, when } from '../parts.js';

export const nodes = {
  section: 'nodes',
  title: () => 'Nodes',
  every: 5_000,
  load: (_, signal) => get(['nodes'], {}, signal),

  render({ outbox, inbox }) {
    return html`
      ${head('Nodes', { lead: 'Each node reports every five seconds. One that has been silent for fifteen died, is frozen, or cannot reach the database; it stands here for a day, or until another one starts in its place.' })}
      ${outbox ? section('Outbox', outbox.length === 0 ? none() : outboxNodes(outbox)) : nothing}
      ${inbox ? section('Inbox', inbox.length === 0 ? none() : inboxNodes(inbox)) : nothing}`;
  },
};

function none() {
  return empty('No node has reported.', 'A node appears within seconds of its start. If none does, look for OBX0068 or IBX0150 in the log.');
}

const common = [
  { name: 'Node', wide: true, cell: it => html`<div class="stack"><strong>${text(it.name, 40)}</strong><span class="soft">${text(it.host, 40)}, ${text(it.version, 30)}</span></div>` },
  { name: 'Alive', cell: it => html`<div class="stack"><span>${it.alive ? badge('good', 'Alive') : badge('harm', 'Gone')}</span><span class="soft">${when(it.aliveAt)}</span></div>` },
  { name: 'Started', cell: it => when(it.startedAt) },
];

const RELAY = { ON: ['good', 'Sends'], OFF: ['wait', 'Does not send'], CDC: ['notice', 'A connector sends'] };

function outboxNodes(rows) {
  return table({
    caption: 'Nodes of the outbox',
    rows,
    columns: [
      ...common,
      { name: 'Relay', cell: it => { const [kind, word] = RELAY[it.relay] ?? ['notice', String(it.relay)]; return html`<div class="stack"><span>${it.alive ? badge(kind, word) : html`<span class="soft">${word}, it said</span>`}</span>${it.polledAt ? html`<span class="soft">polled ${when(it.polledAt)}</span>` : nothing}</div>`; } },
      { name: 'Workers', numeric: true, cell: it => number(it.workers) },
      { name: 'Open circuits', wide: true, cell: it => several(it.breakers, breaker => html`<div>${linked(['destinations', breaker.destination], breaker.destination, 32)} ${when(breaker.since)}: ${text(breaker.error, 90)}</div>`) },
      { name: 'Works on', cell: it => several(it.claims, claim => html`<div>partition ${claim.partition} ${when(claim.since)}: ${text((claim.destinations ?? []).join(', '), 60)}</div>`) },
      { name: 'Stuck', cell: it => several(it.stuckPartitions, stuck => html`<div>${badge('harm', `partition ${stuck.partition}`)} ${when(stuck.since)}${stuck.holder ? html`, held by ${text(stuck.holder, 160)}` : nothing}</div>`) },
      { name: 'Findings', cell: found },
    ],
  });
}

function inboxNodes(rows) {
  return table({
    caption: 'Nodes of the inbox',
    rows,
    columns: [
      ...common,
      { name: 'Consumers', wide: true, cell: it => several(it.consumers, one => html`<div>${linked(['consumers', one.consumer], one.consumer, 32)} <span class="soft">${one.running} running${one.workers > 0 ? `, ${one.workers} workers` : ''}</span>${one.missingWorkers > 0 ? html` ${badge('harm', `${one.missingWorkers} workers missing`)}` : nothing}</div>`) },
      { name: 'Recorded deliveries', numeric: true, cell: it => number(it.recordedDeliveries) },
      { name: 'Care', cell: it => html`<div class="stack">
          ${it.triesSuspect ? html`<span>${badge('wait', 'Tries a suspect alone')}</span>` : nothing}
          ${it.recordsAll ? html`<span>${badge('wait', 'Records every delivery')}</span>` : nothing}
          ${!it.triesSuspect && !it.recordsAll ? text() : nothing}</div>` },
      { name: 'Findings', cell: found },
    ],
  });
}

function several(list, each) {
  return list?.length > 0 ? html`<div class="stack">${list.slice(0, 10).map(each)}${list.length > 10 ? html`<span class="soft">and ${list.length - 10} more</span>` : nothing}</div>` : text();
}

function found({ findings }) {
  return findings?.length > 0 ? html`<a href="#/findings">${findings.length}</a>` : number(0);
}
