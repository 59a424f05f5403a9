// Settings that could break a promise, as each node found them at its start.

import { html } from '../lit.js';
import { get } from '../api.js';
import { badge, empty, head, longText, table, text } from '../parts.js';

export const findings = {
  section: 'findings',
  title: () => 'Findings',
  every: 60_000,
  load: (_, signal) => get(['findings'], {}, signal),

  render({ items }) {
    const found = items.filter(it => !it.notChecked);
    const unchecked = items.filter(it => it.notChecked);
    return html`
      ${head('Findings', { lead: 'At start, each node looks for settings of the server, the database and the broker that could break a promise.' })}
      ${found.length === 0
        ? empty('No finding.', 'A finding says what could happen and what to set. It goes away with the first start after the correction.')
        : rows('Findings', found)}
      ${unchecked.length === 0 ? '' : html`<section><h2>Not checked</h2><p class="soft">These cannot be asked of this server. Check them yourself.</p>${rows('Not checked', unchecked)}</section>`}`;
  },
};

function rows(caption, items) {
  return table({
    caption,
    rows: items,
    columns: [
      { name: 'Module', cell: it => badge(it.module === 'inbox' ? 'inbox' : 'outbox', String(it.module)) },
      { name: 'Finding', cell: it => html`<code>${text(it.id, 60)}</code>` },
      { name: 'What could happen, and what to do', wide: true, cell: it => longText(it.text, 400) },
      { name: 'Node', cell: it => text(it.node, 36) },
    ],
  });
}
