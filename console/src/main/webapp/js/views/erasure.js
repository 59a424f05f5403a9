// Erases personal data: what there is of somebody, and then that. No key of a person is in an address.

import { html, nothing } from '../lit.js';
import { send } from '../api.js';
import { openForm, openPlan } from '../dialogs.js';
import { badge, button, empty, head, number, section, table, text } from '../parts.js';
import { link } from '../router.js';

const TARGETS = {
  dataSubject: ['A person', [
    { name: 'dataSubject', label: 'Data subject', hint: 'The name that the application gives the person at enqueue, for instance customer-4711.' },
  ]],
  aggregate: ['An aggregate', [
    { name: 'aggregateType', label: 'Type', hint: 'For instance Customer.' },
    { name: 'aggregateId', label: 'Id' },
  ]],
  messages: ['Messages', [
    { name: 'messages', label: 'Message ids', rows: 6, hint: 'Up to 1,000, one a line.' },
  ]],
};

export const erasure = {
  section: 'erasure',
  title: () => 'Erase personal data',
  every: 0,
  load: async () => ({}),

  render(data, ctx) {
    return html`
      ${head('Erase personal data', { lead: 'In outbox and inbox: contents, texts of errors, replies, and what the records say. Ids stay, so that duplicates are still skipped.' })}
      ${ctx.can('eraser')
        ? html`${section('What is to be erased?', html`<div class="buttons">${Object.keys(TARGETS).map(target => button(TARGETS[target][0] + '…', () => ask(target, ctx)))}</div>`,
            { note: 'The next step counts, and changes nothing.' })}`
        : empty('This needs the role postbox-eraser.', 'A person with this role finds messages by a person, an aggregate or their ids, sees how many rows there are in which place, and erases them for good.')}
      <p><a href="#/actions">Actions</a> have the erasures with their reports. <a href="#/audit">Audit</a></p>`;
  },
};

function ask(target, ctx) {
  const [title, fields] = TARGETS[target];
  openForm({
    title: html`Erase: ${title.toLowerCase()}`,
    explanation: 'Rows that come into the tables after this moment are left alone.',
    verb: 'Count',
    fields,
    next: values => openPlan({
      title: html`Erase: ${title.toLowerCase()}`,
      request: { parts: ['erasures', 'plans'], body: values },
      details: found,
      verb: rows => `Erase ${rows} ${rows === 1 ? 'row' : 'rows'} for good`,
      danger: true,
      run: runErasure,
      done: ctx.reload,
    }),
  });
}

async function runErasure({ id }, { reason }) {
  const { actions } = await send('POST', ['erasures', 'plans', id, 'run'], { reason });
  return link(actions.length === 1 ? ['actions', actions[0].action] : ['actions']);
}

function found(plan) {
  return html`
    <p class="soft">On record it is: <bdi>${text(plan.subject, 200)}</bdi></p>
    ${plan.note ? html`<p class="note">${badge('wait', 'Left out')} <bdi>${plan.note}</bdi></p>` : nothing}
    ${places(plan.places, true)}`;
}

/** How many rows in which place. */
export function places(rows, withModule = false) {
  return table({
    caption: 'Rows by place',
    rows: rows.filter(it => it.rows > 0),
    columns: [
      ...(withModule ? [{ name: 'Module', cell: it => badge(it.module === 'inbox' ? 'inbox' : 'outbox', String(it.module)) }] : []),
      { name: 'Place', cell: it => text(String(it.place).replaceAll('-', ' '), 40) },
      { name: 'Rows', numeric: true, cell: it => number(it.rows, { more: it.complete === false }) },
    ],
  });
}
