// Aggregates of which versions are missing while later ones wait.

import { html, nothing } from '../lit.js';
import { get, send } from '../api.js';
import { openPlan } from '../dialogs.js';
import { filterOf, filters } from '../filters.js';
import * as format from '../format.js';
import { aggregate, button, empty, head, linked, number, pager, shortId, table, text, when } from '../parts.js';

const FIELDS = [
  { name: 'consumer', label: 'Consumer' },
  { name: 'aggregateType', label: 'Aggregate type' },
  { name: 'aggregateId', label: 'Aggregate id' },
  { name: 'before', label: 'Missing before', type: 'time' },
];

export const gaps = {
  section: 'gaps',
  title: () => 'Gaps',
  every: 0,
  load: ({ query }, signal) => get(['inbox', 'gaps'], query, signal),

  render(page, ctx) {
    const filter = filterOf(ctx.route, FIELDS);
    return html`
      ${head('Gaps', {
        lead: 'Versions of aggregates that a consumer has not handled, while later ones wait for them. Those are released by themselves, in order, when the missing ones have been handled.',
        buttons: html`${button('Refresh', ctx.reload)}${page.items.length > 0 && ctx.can('operator')
          ? button('Skip…', () => skip(filter, ctx), { kind: 'second danger-text' })
          : nothing}`,
      })}
      ${filters(ctx.route, FIELDS)}
      ${page.items.length > 0
        ? html`${list(page.items, ctx)}${pager(ctx.route, page.next)}`
        : Object.keys(filter).length > 0 || ctx.route.query.after
          ? empty('No gap meets this filter.', 'Texts compare exactly, letter case included.')
          : empty('No version is missing.', 'A consumer with order=version handles the versions of an aggregate one after the other. One that comes too early waits, and stands here until those before it were handled.')}`;
  },
};

function list(items, ctx) {
  return table({
    caption: 'Gaps in the order of versions',
    rows: items,
    columns: [
      { name: 'Aggregate', cell: aggregate },
      { name: 'Consumer', cell: it => linked(['consumers', it.consumer], it.consumer, 32) },
      { name: 'Missing versions', cell: it => text(it.missing, 80) },
      { name: 'Last handled', numeric: true, cell: it => number(it.lastHandled) },
      { name: 'First waiting', numeric: true, cell: it => number(it.firstWaiting) },
      { name: 'Wait', numeric: true, cell: it => number(it.waiting) },
      { name: 'Missing since', cell: it => when(it.missingSince) },
      { name: 'Here, not handled', cell: it => text(it.here.length > 0 ? it.here.join(', ') : undefined, 80) },
      { name: 'Parked', cell: it => (it.kept.length > 0 ? it.kept.slice(0, 3).map(id => html`${shortId(['parked', id], `row ${id}`)} `) : text(undefined)) },
      ...(ctx.can('operator') ? [{ name: 'Action', cell: it => button('Skip…', () => skip(only(it), ctx), { name: `Skip the missing versions of ${it.aggregateType}/${it.aggregateId}…` }) }] : []),
    ],
  });
}

function only({ consumer, aggregateType, aggregateId }) {
  return { consumer, aggregateType, aggregateId };
}

function skip(filter, ctx) {
  openPlan({
    title: 'Skip missing versions',
    request: { parts: ['inbox', 'gap-plans'], body: { action: 'skip', filter } },
    verb: () => 'Skip missing versions',
    danger: true,
    details: plan => html`<p>${format.counted(plan.gaps.length, 'gap')} in the plan.${filter.aggregateId ? nothing : ' Gaps of which a version is here, parked or not handled yet, are in it only if you name their aggregate.'}</p>`,
    run: async ({ id }, { reason }) => {
      const { skipped, leftAlone } = await send('POST', ['plans', id, 'run'], { reason });
      ctx.say(`${format.counted(skipped, 'gap')} skipped${leftAlone > 0 ? `, ${leftAlone} had changed and were left alone` : ''}.`);
    },
    done: ctx.reload,
  });
}
