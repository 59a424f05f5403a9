// Edits: a form for what changes, a plan that says what that would make of the message, and a reason.

import { html } from '../lit.js';
import { getText, Problem, send } from '../api.js';
import { openForm, openPlan } from '../dialogs.js';
import * as format from '../format.js';
import { facts, table, text } from '../parts.js';

/**
 * Asks for what changes of a message.
 *
 * @param module outbox or inbox
 * @param parts the address of the message
 * @param it the message
 * @param isText whether its payload is a text
 * @param properties what is said of the field for properties
 * @param then the page to go to, from the id of the edited message
 */
export async function editMessage({ title, module, parts, it, isText, properties, then }, ctx) {
  const { seen, refused } = isText && ctx.can('payload') ? await loaded(parts) : {};
  openForm({
    title,
    explanation: seen === undefined
      ? `${refused ? `Its payload cannot be shown: ${refused}.` : isText ? 'To see its payload takes the role postbox-payload.' : 'Its payload is no text.'} What you write here replaces all of it; an empty field leaves it as it is.`
      : 'The audit has recorded that you see its payload.',
    verb: 'Preview',
    fields: [
      { name: 'text', label: 'Payload', rows: 12, optional: true, value: seen ?? '', hint: 'Lines end with LF. At most 64 KiB, with the properties.' },
      { name: 'properties', label: 'Properties', rows: 3, optional: true, hint: `${properties} With their types: {"priority":"integer:5","region":"string:north"}` },
    ],
    next: async values => {
      const edit = {
        id: String(it.id),
        ...(values.text !== (seen ?? '') ? { text: values.text } : {}),
        ...(values.properties.trim() === '' ? {} : { properties: json(values.properties) }),
      };
      const made = await send('POST', [module, 'edits'], edit);
      openPlan({
        title,
        made,
        details: changed,
        verb: () => 'Edit it',
        danger: true,
        run: async (plan, { reason }) => then((await send('POST', [module, 'edits', plan.id, 'run'], { ...edit, reason })).message),
        done: ctx.reload,
      });
    },
  });
}

async function loaded(parts) {
  try {
    return { seen: await getText([...parts, 'payload']) };
  } catch (failure) {
    return { refused: failure.title ?? 'the server did not answer' };
  }
}

function json(text) {
  try {
    return JSON.parse(text.trim()); // without a byte order mark, too
  } catch {
    throw new Problem({ title: 'The properties are no JSON', detail: 'Nothing was sent.', wayOut: 'Write an object: {"priority":"integer:5"}' });
  }
}

/** The message before and after an edit, by its measures. */
function changed({ source, replyTo, before, after }) {
  const row = (name, value) => ({ name, before: value(before), after: value(after) });
  return html`
    ${table({
      caption: 'Before and after the edit',
      rows: [
        row('Kind', it => text(it.contentType ?? it.bodyType, 40)),
        row('Size', it => format.bytes(it.bytes)),
        row('Fingerprint', it => (it.sha256 ? html`<code>${text(it.sha256, 16)}</code>` : text())),
        row('Properties', it => text(it.properties.join(', '), 80)),
      ],
      columns: [
        { name: 'What', cell: it => it.name },
        { name: 'Before', cell: it => it.before },
        { name: 'After', cell: it => it.after },
      ],
    })}
    ${facts([
      ['Sender', source ? text(source, 80) : undefined],
      ['Reply to', replyTo ? html`${text(replyTo, 120)} <span class="soft">the sender chose it; an edit keeps it</span>` : undefined],
    ])}`;
}
