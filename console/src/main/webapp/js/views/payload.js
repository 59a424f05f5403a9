// A payload, for those who may see it. It is asked for, masked at first, never part of an address,
// and the server keeps in the audit who saw it.

import { html, nothing } from '../lit.js';
import { address, get } from '../api.js';
import * as format from '../format.js';
import { button, facts, problem, section, text } from '../parts.js';

const shown = { of: undefined, payload: undefined, problem: undefined };

export function payload(parts, ctx) {
  const of = parts.join('/');
  if (!ctx.can('payload')) {
    return section('Payload', html`<p class="soft">To see payloads takes the role postbox-payload.</p>`);
  }
  const mine = shown.of === of ? shown : {};
  return section('Payload', html`
    <div class="buttons start">
      ${button('Show it masked', () => ask('masked'))}
      ${button('Show its first bytes', () => ask('head'))}
      <a class="button second" href=${address([...parts, 'payload'], { show: 'full' })} download>Save all of it</a>
    </div>
    <div aria-live="polite">
      ${mine.problem ? problem(mine.problem) : nothing}
      ${mine.payload ? content(mine.payload) : nothing}
    </div>`, { note: 'Each view is recorded in the audit, with your name.' });

  async function ask(show) {
    Object.assign(shown, { of, payload: undefined, problem: undefined });
    try {
      shown.payload = await get([...parts, 'payload'], { show });
    } catch (failure) {
      shown.problem = failure;
    }
    ctx.redraw();
  }
}

/** Forgets a payload when its page is left. */
export function forgetPayload() {
  Object.assign(shown, { of: undefined, payload: undefined, problem: undefined });
}

function content(it) {
  const properties = Object.entries(it.properties ?? {}).flatMap(([name, value]) =>
    (value !== null && typeof value === 'object' ? Object.entries(value) : [[name, value]]));
  return html`
    ${facts([
      ['Kind', text(it.bodyType, 40)],
      ['Size', typeof it.bytes === 'number' ? format.bytes(it.bytes) : undefined],
    ])}
    ${typeof it.text === 'string' || typeof it.hex === 'string'
      ? html`<pre class="payload" tabindex="0" role="group" aria-label="Payload"><bdi>${it.text ?? it.hex}</bdi></pre>`
      : html`<p class="soft">Octets are not shown masked. Show the first ones, or save all.</p>`}
    ${properties.length > 0 ? html`<h3>Properties</h3>${facts(properties.map(([name, value]) => [text(name, 80), text(value, 400)]))}` : nothing}`;
}
