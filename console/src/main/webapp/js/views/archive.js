// The messages that have left the outbox and are kept: sent and discarded ones.

import { html } from '../lit.js';
import { get } from '../api.js';
import { filters } from '../filters.js';
import { aggregate, badge, empty, head, linked, pager, shortId, table, text, when } from '../parts.js';

const fields = [
  { name: 'destination', label: 'Destination' },
  { name: 'event', label: 'Event type' },
  { name: 'aggregateType', label: 'Aggregate type' },
  { name: 'aggregateId', label: 'Aggregate id' },
  { name: 'key', label: 'Ordering key' },
  { name: 'outcome', label: 'Outcome', type: 'choice', options: ['SENT', 'DISCARDED'] },
  { name: 'id', label: 'Message id' },
  { name: 'from', label: 'Ended from', type: 'time' },
  { name: 'before', label: 'Ended before', type: 'time' },
];

export const archive = {
  section: 'archive',
  title: () => 'Archive',
  every: 0,
  load: ({ query }, signal) => get(['outbox', 'archive'], query, signal),

  render({ items, next }, { route }) {
    const asked = Object.keys(route.query).length > 0;
    return html`
      ${head('Archive', { lead: 'Messages that were sent or discarded, the last one first, for the retention. One of them can be sent again from its life.' })}
      ${filters(route, fields)}
      ${items.length === 0
        ? next
          ? empty('No message on this page meets this filter.', 'The search goes on with the next page.')
          : asked
            ? empty('No message meets this filter.', 'Texts compare exactly, letter case included.')
            : empty('The archive is empty.', 'Sent messages come here with postbox.outbox.after-sending=archive, and discarded ones always.')
        : table({
            caption: 'Archived messages',
            rows: items,
            columns: [
              { name: 'Message', cell: it => shortId(['messages', it.id], it.id) },
              { name: 'Outcome', cell: it => badge(it.status === 'SENT' ? 'good' : 'wait', it.status === 'SENT' ? 'Sent' : 'Discarded') },
              { name: 'Aggregate', cell: aggregate },
              { name: 'Event', cell: it => text(it.eventType, 40) },
              { name: 'Destination', cell: it => linked(['destinations', it.destination], it.destination, 32) },
              { name: 'Ordering key', cell: it => text(it.orderingKey, 40) },
              { name: 'Ended', cell: it => when(it.endedAt) },
            ],
          })}
      ${pager(route, next, ['outbox', 'archive'])}`;
  },
};
