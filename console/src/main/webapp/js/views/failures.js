// Failures by cause: errors with one signature have one cause, however many messages they stop.

import { html, nothing } from '../lit.js';
import { get, ifThere } from '../api.js';
import * as format from '../format.js';
import { badge, empty, facts, head, linked, longText, number, section, shortened, simpleName, table, text, when, withoutClass } from '../parts.js';
import { link } from '../router.js';
import { letterButtons, letterTable } from './dead-letters.js';
import { keptButtons, keptTable } from './kept.js';

const MOST_PAGES = 5;

export const failures = {
  section: 'failures',
  depth: 3,
  title: ({ parts }) => (parts[2] ? 'A cause of failures' : 'Failures'),
  every: 15_000,

  async load({ parts: [, module, signature], query: { after } }, signal) {
    if (signature === undefined) {
      const [outbox, inbox] = await Promise.all(['outbox', 'inbox'].map(one => groups(one, signal)));
      return { outbox, inbox };
    }
    const list = module === 'outbox' ? ['outbox', 'dead-letters'] : ['inbox', 'parked'];
    const [group, page] = await Promise.all([
      groupOf(module, signature, signal),
      get(list, { signature, after }, signal),
    ]);
    return { module, signature, group, page };
  },

  render(data, ctx) {
    return data.signature === undefined ? causes(data) : cause(data, ctx);
  },
};

function groups(module, signal, query = {}) {
  return ifThere(get([module, 'failures'], { size: 100, ...query }, signal));
}

/** One group, if it is among the first ones; the page does without it otherwise. */
async function groupOf(module, signature, signal) {
  let after;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await groups(module, signal, { after });
    const found = page?.items.find(it => it.signature === signature);
    if (found || !page?.next) {
      return found;
    }
    after = page.next;
  }
  return undefined;
}

function causes({ outbox, inbox }) {
  const stuck = [
    ...(outbox?.items ?? []).map(group => ({ ...group, module: 'outbox', stopped: (group.dead ?? 0) + (group.retrying ?? 0) })),
    ...(inbox?.items ?? []).map(group => ({ ...group, module: 'inbox', stopped: group.parked ?? 0 })),
  ].sort((a, b) => b.stopped - a.stopped || String(b.latest?.at).localeCompare(String(a.latest?.at)));
  const now = stuck.filter(group => group.stopped > 0);
  const past = stuck.filter(group => group.stopped === 0);
  const more = Boolean(outbox?.next || inbox?.next);
  return html`
    ${head('Failures', { lead: 'Grouped by cause: the same exception from the same place, whatever the ids in its text. Mend one cause, then redrive all its messages.' })}
    ${now.length === 0
      ? empty('No message is stopped by a failure.', 'Messages that fail are retried first. Those that used up their attempts stand here by cause: dead letters that could not be sent, parked ones that could not be handled.')
      : groupTable('Causes that stop messages now', now)}
    ${more ? html`<p class="soft">The first 100 causes of each module are shown.</p>` : nothing}
    ${past.length > 0 ? section('Failed and went on', groupTable('Past causes', past, false), { note: 'No message is stopped by these any more. They are kept as long as retention says.' }) : nothing}`;
}

function groupTable(caption, rows, stops = true) {
  return table({
    caption,
    rows,
    columns: [
      { name: 'Cause', wide: true, cell: it => html`<div class="stack">
          <a class="cause" href=${link(['failures', it.module, it.signature])}>${text(simpleName(it.latest?.errorClass) || 'Failure', 60)}</a>
          <span>${text(withoutClass(it.latest?.error, it.latest?.errorClass), 160)}</span>
          ${it.latest?.frame ? html`<code class="soft">${text(it.latest.frame, 100)}</code>` : nothing}</div>` },
      { name: 'Where', cell: it => html`${badge(it.module, it.module)} ${place(it)}` },
      ...(stops ? [{ name: 'Stopped', numeric: true, cell: it => html`<div class="stack">${it.module === 'outbox'
          ? html`<span>${number(it.dead, { trouble: true, more: it.more })} dead</span>${it.retrying > 0 ? html`<span class="soft">${number(it.retrying)} retrying</span>` : nothing}`
          : html`<span>${number(it.parked, { trouble: true, more: it.more })} parked</span>`}</div>` }] : []),
      { name: 'Failures', numeric: true, cell: it => number(it.failures, { more: it.more }) },
      { name: 'First', cell: it => when(it.first) },
      { name: 'Latest', cell: it => when(it.latest?.at) },
    ],
  });
}

function place({ module, latest }) {
  const name = latest?.destination ?? latest?.consumer;
  return name ? linked([module === 'outbox' ? 'destinations' : 'consumers', name], name, 32) : nothing;
}

function cause({ module, signature, group, page }, ctx) {
  const outbox = module === 'outbox';
  const latest = group?.latest;
  const sample = page.items[0];
  const error = latest?.error ?? sample?.lastError ?? sample?.error;
  const total = outbox ? group?.dead : group?.parked;
  return html`
    ${head(text(simpleName(latest?.errorClass) || 'A cause of failures', 80), {
      lead: outbox ? 'Messages that could not be sent for this cause.' : 'Messages that could not be handled for this cause.',
      buttons: page.items.length > 0
        ? outbox ? letterButtons({ signature }, ctx) : keptButtons('parked', { signature }, ctx)
        : nothing,
    })}
    ${facts([
      ['Error', longText(withoutClass(error, latest?.errorClass), 400)],
      ['Class', latest?.errorClass ? html`<code>${text(latest.errorClass, 160)}</code>` : undefined],
      ['Called from', latest?.frame ? html`<code>${text(latest.frame, 160)}</code>` : undefined],
      [outbox ? 'Destination' : 'Consumer', group ? place({ module, latest }) : undefined],
      ['Failures', group ? html`${number(group.failures, { more: group.more })}, the first ${when(group.first)}, the latest ${when(latest?.at)}${latest?.node ? html` on ${text(latest.node, 40)}` : nothing}` : undefined],
      ['Waiting for a retry', group?.retrying > 0 ? number(group.retrying, { more: group.more }) : undefined],
      ['Signature', html`<code>${shortened(signature, 80)}</code>`],
    ])}
    ${section(outbox ? html`Dead letters${many(total)}` : html`Parked messages${many(total)}`,
      page.items.length === 0
        ? group
          ? empty('None is stopped by this cause any more.', 'They were redriven or discarded; the audit says by whom and why.')
          : empty('No failure of this cause is on record.', 'The address is mistyped, or retention has deleted what there was.')
        : outbox ? letterTable(page, ctx, { errors: false }) : keptTable('parked', page, ctx, { errors: false }))}`;
}

function many(total) {
  return typeof total === 'number' ? html` <span class="soft">${format.count(total)}</span>` : nothing;
}
