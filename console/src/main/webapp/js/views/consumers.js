// The consumers: the messages that each handled, and those kept aside.

import { html, nothing } from '../lit.js';
import { getAll } from '../api.js';
import * as format from '../format.js';
import { badge, empty, facts, head, linked, number, section, table, text } from '../parts.js';
import { link } from '../router.js';
import { pauseButton, pausedNote, unknown } from './destinations.js';
import { policySection } from './policies.js';

export const consumers = {
  section: 'consumers',
  depth: 2,
  title: ({ parts }) => parts[1] ?? 'Consumers',
  every: 5_000,
  load: (_, signal) => getAll(['consumers'], signal),

  render({ items }, ctx) {
    const name = ctx.route.parts[1];
    return name === undefined ? all(items) : one(name, items, ctx);
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
            { name: 'State', cell: it => html`${it.policy ? badge('notice', 'Policy') : text()}` },
            { name: 'Running now', numeric: true, cell: it => number(running(it)) },
            { name: 'Handled', numeric: true, cell: it => number(it.processed) },
            { name: 'Skipped', numeric: true, cell: it => number(it.skipped) },
            { name: 'Captured', numeric: true, cell: it => html`${it.paused ? html`${badge('wait', 'Paused')} ` : nothing}${number(backlog(it))}` },
            { name: 'Buffered', numeric: true, cell: it => number(it.buffered) },
            { name: 'Parked', numeric: true, cell: it => kept('parked', it) },
            { name: 'Quarantined', numeric: true, cell: it => kept('quarantined', it) },
          ],
        })}`;
}

function one(name, items, ctx) {
  const it = items.find(item => item.name === name);
  if (it === undefined) {
    return unknown('consumers', name, items, 'It has handled and kept nothing, and no living node has it. It appears with its first delivery.');
  }
  return html`
    ${head(text(name, 120), { buttons: ctx.can('operator') && (it.paused || it.captured) ? pauseButton('consumers', it, ctx) : nothing })}
    ${it.paused ? pausedNote('Captured messages are not handled', it.paused) : nothing}
    ${facts([
      ['Handled', number(it.processed)],
      ['Skipped', number(it.skipped)],
      ['Failed attempts on the node that answers', it.failures === undefined ? undefined : number(it.failures)],
      ['Buffered until their turn', it.buffered > 0 ? html`<a href=${link(['gaps'], { consumer: it.name })}>${number(it.buffered)}</a>` : undefined],
      ['Aggregates with missing versions', it.versionGaps > 0 ? html`<a href=${link(['gaps'], { consumer: it.name })}>${number(it.versionGaps, { trouble: true })}</a>` : undefined],
      ['Parked', kept('parked', it)],
      ['Quarantined', kept('quarantined', it)],
      ...(it.captured ? [
        ['Captured, pending', number(it.captured.pending)],
        ['Captured, delayed', number(it.captured.delayed)],
        ['Captured, held behind others', number(it.captured.held)],
        ['Captured, parked', number(it.captured.parked)],
        ['Oldest captured', backlog(it) > 0 ? format.duration(it.captured.oldestSeconds) : undefined],
      ] : []),
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
      : empty('No living node has it.', 'Neither as a listener nor as the name under which requests are remembered. Where a message-driven bean has this name, its messages wait at the broker: see Nodes for who is alive. Where code calls it by itself, nothing waits.'))}
    ${policySection('consumers', it, ctx)}
    <p><a href=${link(['messages'], { consumer: name })}>Find messages of this consumer</a></p>`;
}

function backlog({ captured }) {
  return captured ? captured.pending + captured.delayed + captured.held : 0;
}

function running(it) {
  return (it.running ?? []).reduce((total, row) => total + row.running, 0);
}

function kept(kind, it) {
  return it[kind] > 0
    ? html`<a href=${link([kind], { consumer: it.name })}>${number(it[kind], { trouble: true })}</a>`
    : number(it[kind]);
}
