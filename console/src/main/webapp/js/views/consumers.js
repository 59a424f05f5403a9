// Who handles messages: how many, and what was kept aside.

import { html } from '../lit.js';
import { get } from '../api.js';
import { empty, facts, head, linked, number, section, table, text } from '../parts.js';
import { link } from '../router.js';

export const consumers = {
  section: 'consumers',
  title: ({ parts }) => parts[1] ?? 'Consumers',
  every: 5_000,
  load: (_, signal) => get(['consumers'], {}, signal),

  render({ items }, { route }) {
    return route.parts[1] === undefined ? all(items) : one(route.parts[1], items);
  },
};

function all(items) {
  return html`
    ${head('Consumers', { lead: 'Handlers of received messages. A duplicate is skipped; a message that fails for good is parked, and one that cannot be trusted is quarantined.' })}
    ${items.length === 0
      ? empty('No consumer has received anything.', 'A bean with @Inbox appears here with its first delivery.')
      : table({
          caption: 'Consumers',
          rows: items,
          columns: [
            { name: 'Consumer', cell: it => linked(['consumers', it.name], it.name, 48) },
            { name: 'Running now', numeric: true, cell: it => number(running(it)) },
            { name: 'Handled', numeric: true, cell: it => number(it.processed) },
            { name: 'Skipped', numeric: true, cell: it => number(it.skipped) },
            { name: 'Parked', numeric: true, cell: it => kept('parked', it) },
            { name: 'Quarantined', numeric: true, cell: it => kept('quarantined', it) },
          ],
        })}`;
}

function one(name, items) {
  const it = items.find(item => item.name === name) ?? { name, running: [] };
  return html`
    ${head(text(name, 120))}
    ${facts([
      ['Handled', number(it.processed)],
      ['Skipped', number(it.skipped)],
      ['Failed attempts on the node that answers', it.failures === undefined ? undefined : number(it.failures)],
      ['Parked', kept('parked', it)],
      ['Quarantined', kept('quarantined', it)],
    ])}
    ${section('On the nodes', it.running?.length > 0
      ? table({
          caption: 'Running handlers by node',
          rows: it.running,
          columns: [
            { name: 'Node', cell: row => text(row.node, 60) },
            { name: 'Handlers running now', numeric: true, cell: row => number(row.running) },
          ],
        })
      : empty('No living node has this consumer.', 'Its messages wait at the broker. See Nodes for who is alive.'))}
    <p><a href=${link(['messages'], { consumer: name })}>Find messages of this consumer</a></p>`;
}

function running(it) {
  return (it.running ?? []).reduce((total, row) => total + row.running, 0);
}

function kept(kind, it) {
  return it[kind] > 0
    ? html`<a href=${link([kind], { consumer: it.name })}>${number(it[kind], { trouble: true })}</a>`
    : number(it[kind]);
}
