// The concerns in order of harm; then the numbers and their course.

import { html, nothing } from '../lit.js';
import { Chart } from '../chart.js';
import * as format from '../format.js';
import { actor, badge, empty, head, number, section, text, when } from '../parts.js';
import { trusted } from '../router.js';
import { history } from '../store.js';

const SEVERITIES = { harm: 'Harm', warning: 'Warning', notice: 'Notice' };

const SINCE_START = html`<span class="tile-note">this node, since its start</span>`;

const charts = [
  new Chart({ title: 'Backlog', series: [{ name: 'pending', field: 'pending', color: 'chart-1' }, { name: 'held', field: 'held', color: 'chart-2' }] }),
  new Chart({ title: 'Oldest pending message', series: [{ name: 'age', field: 'age', color: 'chart-1' }], write: format.duration }),
  new Chart({
    title: 'Rates',
    series: [{ name: 'sent', field: 'sent', color: 'chart-1' }, { name: 'handled', field: 'handled', color: 'chart-3' }, { name: 'failed', field: 'failing', color: 'chart-2' }],
    write: format.perSecond,
  }),
  new Chart({
    title: 'Wait for a decision',
    series: [{ name: 'dead', field: 'dead', color: 'chart-2' }, { name: 'parked', field: 'parked', color: 'chart-4' }, { name: 'quarantined', field: 'quarantined', color: 'chart-1' }],
  }),
];

export const overview = {
  section: 'overview',
  title: () => 'Overview',
  every: 0, // the shell polls the overview for every page
  load: async () => ({}),

  render(_, { app }) {
    const { outbox, inbox, nodes, concerns = [], service } = app.overview ?? {};
    if (!app.overview) {
      return head('Overview', { lead: app.problem ? nothing : 'Asking the server.' });
    }
    return html`
      ${head('Overview', { lead: html`Service ${text(service)}, ${counted(nodes)}` })}
      ${section('What needs you now', concerns.length > 0
        ? html`<ol class="concerns">${concerns.map(concern)}</ol>`
        : empty('Nothing needs you.', 'Messages that cannot be sent or handled, destinations that do not answer, and settings that break a promise stand here, the most harmful first.'))}
      ${outbox?.paused ? html`<p class="note">${badge('wait', 'Paused')} Nothing is sent. ${typeof outbox.paused === 'object' ? html`Since ${when(outbox.paused.since)}, by ${actor(outbox.paused.principal)}: ${text(outbox.paused.reason)}` : nothing}</p>` : nothing}
      ${outbox ? html`<div class="tiles">
          ${tile('Pending', number(outbox.pending, outbox), '#/destinations', limit(outbox))}
          ${tile('Held behind others', number(outbox.held, outbox), '#/dead-letters')}
          ${tile('Delayed', number(outbox.delayed, outbox), '#/destinations')}
          ${tile('Oldest pending', format.duration(outbox.oldestPendingSeconds), '#/destinations')}
          ${tile('Dead letters', number(outbox.dead, { trouble: true }), '#/dead-letters')}
        </div>` : nothing}
      ${inbox ? html`<div class="tiles">
          ${tile('Handled', number(inbox.processed), '#/consumers', SINCE_START)}
          ${tile('Skipped', number(inbox.skipped), '#/consumers', SINCE_START)}
          ${inbox.captured > 0 ? tile('Captured', number(inbox.captured), '#/consumers') : nothing}
          ${tile('Parked', number(inbox.parked, { trouble: true }), '#/parked')}
          ${tile('Quarantined', number(inbox.quarantined, { trouble: true }), '#/quarantined')}
        </div>` : nothing}
      ${section('Trends', html`<div class="charts">${charts.map(chart => chart.show(history.rows))}</div>`, {
        note: html`Since ${format.clock((history.rows[0]?.at ?? 0) * 1000)}: a value a minute until this page was opened, or while its tab is hidden, and live otherwise.
          ${typeof outbox?.relayed === 'number' ? 'Rates are those of the node that answers.' : nothing}`,
      })}`;
  },
};

function counted(nodes) {
  return html`<a href="#/nodes">${format.counted(nodes?.alive ?? 0, 'node')} alive</a>${nodes?.gone > 0 ? html`, <strong class="trouble">${format.count(nodes.gone)} gone</strong>` : nothing}`;
}

function concern({ severity, text: words, link: href }) {
  const kind = severity in SEVERITIES ? severity : 'notice';
  const target = trusted(href);
  return html`<li class="concern ${kind}">
    ${badge(kind, SEVERITIES[kind])}
    <span class="concern-text"><bdi>${words}</bdi></span>
    ${target ? html`<a href=${target} aria-label="Look at it: ${words}">Look at it</a>` : nothing}
  </li>`;
}

function tile(name, value, href, note = nothing) {
  return html`<a class="tile" href=${href}><span class="tile-name">${name}</span><span class="tile-value">${value}</span>${note}</a>`;
}

function limit({ pending, limits }) {
  return limits?.messages > 0
    ? html`<span class="tile-note">of at most ${format.count(limits.messages)}</span>
        <meter min="0" max=${limits.messages} high=${limits.messages * 0.8} value=${pending} aria-label="Pending messages of at most ${format.count(limits.messages)}"></meter>`
    : nothing;
}
