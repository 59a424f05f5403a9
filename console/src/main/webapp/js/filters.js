// The filter of a list. It lives in the address, so that a list can be shared.

import { html, nothing } from './lit.js';
import * as format from './format.js';
import { shortened } from './parts.js';
import { go, link } from './router.js';

/**
 * A form for the query of the route.
 *
 * @param fields {name, label, type?: 'text' | 'time' | 'choice', options?, hint?}
 * @param open whether to begin with the form; otherwise with what it is set to, and the list
 */
export function filters(route, fields, open = false) {
  const set = fields.filter(field => route.query[field.name]);
  const apply = event => {
    event.preventDefault();
    const query = {};
    for (const field of fields) {
      const value = event.target.elements[field.name].value.trim();
      query[field.name] = field.type === 'time' ? format.fromLocalInput(value) : value;
    }
    go(link(route.parts, query));
  };
  return html`
    <details class="filters" ?open=${open}>
      <summary>Filter${set.length > 0 ? html` <span class="soft">by ${set.map(field => field.label.toLowerCase()).join(', ')}: <bdi>${shortened(set.map(field => route.query[field.name]).join(', '), 80)}</bdi></span>` : nothing}</summary>
      <form @submit=${apply} novalidate>
        ${fields.map(field => html`<div class="field">
          <label for="filter-${field.name}">${field.label}</label>
          ${control(field, route.query[field.name] ?? '')}
        </div>`)}
        <div class="buttons">
          <button type="submit">Apply</button>
          ${set.length > 0 ? html`<a class="button second" href=${link(route.parts)}>Clear</a>` : nothing}
        </div>
      </form>
      ${fields.some(field => field.type === 'time') ? html`<p class="hint">Times are in ${format.zone()}.</p>` : nothing}
    </details>`;
}

function control({ name, type, options }, value) {
  const id = `filter-${name}`;
  if (type === 'choice') {
    return html`<select id=${id} name=${name}>
      <option value="" ?selected=${value === ''}>any</option>
      ${options.map(option => html`<option value=${option} ?selected=${value === option}>${option}</option>`)}
      ${value === '' || options.includes(value) ? nothing : html`<option value=${value} selected>${value}</option>`}
    </select>`;
  }
  return type === 'time'
    ? html`<input id=${id} name=${name} type="datetime-local" step="1" .value=${format.toLocalInput(value)}>`
    : html`<input id=${id} name=${name} autocomplete="off" spellcheck="false" .value=${value}>`;
}

/** The part of the query that filters, without the place in the list. */
export function filterOf(route, fields) {
  return Object.fromEntries(
    fields.map(field => [field.name, route.query[field.name]]).filter(([, value]) => value));
}
