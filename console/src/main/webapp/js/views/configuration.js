// The effective configuration, and where each value came from.

import { html, nothing } from '../lit.js';
import { get } from '../api.js';
import { filters } from '../filters.js';
import { actor, badge, empty, head, table, text, when } from '../parts.js';

const fields = [{ name: 'find', label: 'Key contains' }];

export const configuration = {
  section: 'configuration',
  title: () => 'Configuration',
  every: 0,
  load: (_, signal) => get(['configuration'], {}, signal),

  render({ items, policiesNotRead }, { route }) {
    const find = (route.query.find ?? '').toLowerCase();
    const shown = items.filter(it => String(it.key).toLowerCase().includes(find));
    return html`
      ${head('Configuration', { lead: 'As the node that answers has read it at its start, and what operators have set since. Secrets are never shown.' })}
      ${policiesNotRead?.length > 0 ? html`<p class="note">${badge('wait', 'Not read')} What operators have set is missing here: the tables of ${policiesNotRead.join(' and ')} cannot be read.</p>` : nothing}
      ${filters(route, fields)}
      ${shown.length === 0
        ? empty('No key.', find ? 'No key contains this text.' : 'Nothing of Postbox is configured: all keys have their defaults.')
        : table({
            caption: 'Configuration',
            rows: shown,
            columns: [
              { name: 'Key', wide: true, cell: it => html`<code>${text(it.key, 120)}</code>` },
              { name: 'Value', wide: true, cell: it => (it.value === undefined || it.value === null ? html`<span class="soft">not set</span>` : html`<code>${text(it.value, 200)}</code>`) },
              { name: 'Default', cell: it => (it.default === undefined || it.default === null ? nothing : html`<code class="soft">${text(it.default, 80)}</code>`) },
              { name: 'Source', wide: true, cell: it => html`${text(it.source, 80)}${it.since ? html` since ${when(it.since)}, by ${actor(it.principal, 40)}: ${text(it.reason, 120)}` : nothing}${typeof it.sourceOrdinal === 'number' ? html` <span class="soft">ordinal ${it.sourceOrdinal}</span>` : nothing}` },
            ],
          })}`;
  },
};
