// The failed attempts of one message.

import { html, nothing } from '../lit.js';
import { empty, longText, moment, number, table, text, withoutClass } from '../parts.js';

export function attempts(failures) {
  return failures?.length > 0
    ? table({
        caption: 'Failed attempts',
        rows: failures.map((it, index) => ({ ...it, again: index > 0 && same(it, failures[index - 1]) })),
        columns: [
          { name: 'When', cell: it => moment(it.at) },
          { name: 'Attempt', numeric: true, cell: it => number(it.attempt) },
          { name: 'Node', cell: it => text(it.node, 36) },
          { name: 'Error', wide: true, cell: it => (it.again ? html`<span class="soft">the same error</span>` : html`<div class="stack">
              ${longText(withoutClass(it.error, it.errorClass), 200)}<code class="soft">${text(it.errorClass, 100)}</code></div>`) },
          { name: 'Called from', wide: true, cell: it => (it.again ? nothing : html`<code>${text(it.frame, 100)}</code>`) },
        ],
      })
    : empty('No attempt is on record.', 'The first failure and the last ten of each message are kept, as long as retention says.');
}

function same(one, other) {
  return one.error === other.error && one.errorClass === other.errorClass && one.frame === other.frame;
}
