// People's actions, with their times and reasons.

import { html } from '../lit.js';
import { get } from '../api.js';
import { filters } from '../filters.js';
import { actor, badge, empty, head, longText, number, pager, table, text, when } from '../parts.js';

const fields = [
  { name: 'principal', label: 'Who' },
  { name: 'action', label: 'Action' },
  { name: 'from', label: 'From', type: 'time' },
  { name: 'before', label: 'Before', type: 'time' },
];

export const audit = {
  section: 'audit',
  title: () => 'Audit',
  every: 0,
  load: ({ query }, signal) => get(['audit'], query, signal),

  render(page, ctx) {
    return html`
      ${head('Audit', { lead: 'Every action of a person, and every view of a payload: who, when, why, on what.' })}
      ${filters(ctx.route, fields)}
      ${page.items.length === 0
        ? empty('No action is on record.', 'Redrives, discards, pauses, redirects and views of payloads leave a row here, whether they were made in this console or by code. Rows stay for 400 days at least.')
        : html`${table({
            caption: 'Actions of persons, the latest first',
            rows: page.items,
            columns: [
              { name: 'When', cell: it => when(it.at) },
              { name: 'Who', cell: it => actor(it.principal, 40) },
              { name: 'Action', cell: it => text(it.action, 40) },
              { name: 'Module', cell: it => badge(it.module === 'inbox' ? 'inbox' : 'outbox', String(it.module)) },
              { name: 'On what', wide: true, cell: it => text(it.subject, 240) },
              { name: 'Messages', numeric: true, cell: it => number(it.messages) },
              { name: 'Why', wide: true, cell: it => longText(it.reason, 160) },
            ],
          })}${pager(ctx.route, page.next, ['audit'])}`}`;
  },
};
