// The parts of the pages. Strings of the server are only ever text, isolated by <bdi>.

import { html, nothing } from './lit.js';
import { address } from './api.js';
import * as format from './format.js';
import { link } from './router.js';

const SHOWN_OF_A_LONG_TEXT = 180;

/** A string of the server on one line; the whole of it in the title. */
export function text(value, length = 80) {
  if (value === undefined || value === null || value === '') {
    return html`<span class="none" aria-label="none">–</span>`;
  }
  const string = String(value);
  const short = shortened(string, length);
  return short === string
    ? html`<bdi>${string}</bdi>`
    : html`<bdi title=${shortened(string, 2000)}>${short}</bdi>`;
}

/** A string that may be very long, for instance an error: its beginning, and all of it on demand. */
export function longText(value, length = SHOWN_OF_A_LONG_TEXT) {
  if (value === undefined || value === null || value === '') {
    return nothing;
  }
  const string = String(value);
  return string.length <= length && !string.includes('\n')
    ? html`<bdi class="long">${string}</bdi>`
    : html`<details class="long"><summary><bdi>${shortened(firstLine(string), length)}</bdi></summary><pre
        tabindex="0" role="group" aria-label="The whole text"><bdi>${string}</bdi></pre></details>`;
}

/** A time: relative with the absolute on hover, or the other way round. */
export function when(iso) {
  if (!iso) {
    return html`<span class="none" aria-label="none">–</span>`;
  }
  const relative = format.relative(iso);
  const absolute = format.absolute(iso);
  return format.absoluteTimes()
    ? html`<time datetime=${iso} title=${relative}>${absolute}</time>`
    : html`<time datetime=${iso} title=${absolute}>${relative}</time>`;
}

/** Who did something; code without a caller who is logged in has no name. */
export function actor(principal, length = 60) {
  return principal === 'unknown' ? html`<span class="soft">the application, with nobody logged in</span>` : text(principal, length);
}

/** A time both ways, where the order and the distance of times matter. */
export function moment(iso) {
  return iso
    ? html`<div class="stack"><time datetime=${iso}>${format.relative(iso)}</time><span class="soft small numeric">${format.absolute(iso).slice(5, 19)}</span></div>`
    : when(iso);
}

/** A number, marked where it is an estimate or capped. */
export function number(value, { estimated = false, more = false, trouble = false } = {}) {
  const shown = html`${estimated ? html`<span title="estimated">≈<span class="only-read">about </span></span>` : nothing}${format.count(value, more && value > 0)}`;
  return trouble && value > 0 ? html`<strong class="trouble">${shown}</strong>` : shown;
}

/** A word in a coloured frame; the word says it all, the colour nothing new. */
export function badge(kind, word) {
  return html`<span class="badge ${kind}">${shortened(String(word), 48)}</span>`;
}

/**
 * A table that turns into cards on a phone.
 *
 * @param columns {name, cell, numeric?, wide?, quiet?}: cell makes the content from a row; the name
 *     of a quiet column is only read
 */
export function table({ caption, columns, rows }) {
  return html`
    <div class="scroll">
      <table role="table">
        <caption class="only-read">${caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            ${columns.map(column => html`<th role="columnheader" scope="col" class=${classes(column)}>
              ${column.quiet ? html`<span class="only-read">${column.name}</span>` : column.name}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map(row => html`<tr role="row">
            ${columns.map(column => html`<td role="cell" class=${classes(column)} data-label=${column.quiet ? '' : column.name}><div class="cell">${column.cell(row)}</div></td>`)}
          </tr>`)}
        </tbody>
      </table>
    </div>`;
}

function classes({ numeric, wide, quiet }) {
  return [numeric && 'numeric', wide && 'wide', quiet && 'quiet'].filter(Boolean).join(' ');
}

/** Names and values of one thing; those without a value are left out. */
export function facts(entries) {
  return html`<dl class="facts">
    ${entries
      .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== nothing)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** A page's head: its heading, a sentence, and its buttons. */
export function head(title, { lead = nothing, buttons = nothing } = {}) {
  return html`
    <div class="head">
      <div>
        <h1 tabindex="-1">${title}</h1>
        ${lead === nothing ? nothing : html`<p class="lead">${lead}</p>`}
      </div>
      ${buttons === nothing ? nothing : html`<div class="buttons">${buttons}</div>`}
    </div>`;
}

/** Nothing to show: says so, and what would be here. */
export function empty(title, explanation) {
  return html`<div class="empty"><p><strong>${title}</strong></p><p>${explanation}</p></div>`;
}

/** A problem of the API: what happened, and the way out. */
export function problem(it, again) {
  return html`<div class="problem" role="alert">
    <p><strong><bdi>${it.title ?? 'This page has a defect'}</bdi></strong></p>
    ${it.detail ? html`<p><bdi>${it.detail}</bdi></p>` : nothing}
    ${it.wayOut ? html`<p><span class="soft">Way out:</span> <bdi>${it.wayOut}</bdi></p>` : nothing}
    ${it.status === 401 ? html`<button type="button" @click=${() => location.reload()}>Reload</button>`
      : again ? html`<button type="button" class="second" @click=${again}>Try again</button>` : nothing}
  </div>`;
}

/** Links to the first and the next page of a list, and to this one for a spreadsheet. */
export function pager(route, next, resource) {
  const { after, ...others } = route.query;
  return html`<nav class="pager" aria-label="Pages of the list">
    ${after ? html`<a href=${link(route.parts, others)}>First page</a>` : nothing}
    ${next ? html`<a rel="next" href=${link(route.parts, { ...others, after: next })}>Next page</a>`
      : after ? html`<span class="soft">End of the list</span>` : nothing}
    ${resource ? html`<a href=${address(resource, { ...route.query, format: 'csv' })} download>Save this page as CSV</a>` : nothing}
  </nav>`;
}

/** Says of a message that its content is not what was sent. */
export function edited({ at, principal, reason }, more) {
  return html`<p class="note">${badge('wait', 'Edited')} ${when(at)}, by ${actor(principal)}: ${text(reason, 200)}${more ? html` <span class="soft">(${more})</span>` : nothing}</p>`;
}

/** A heading with what belongs to it. */
export function section(title, content, { note = nothing, buttons = nothing } = {}) {
  return html`<section>
    <div class="section-head"><h2>${title}</h2>${buttons === nothing ? nothing : html`<div class="buttons">${buttons}</div>`}</div>
    ${note === nothing ? nothing : html`<p class="soft">${note}</p>`}
    ${content}
  </section>`;
}

export function button(label, onClick, { kind = 'second', name = nothing } = {}) {
  return html`<button type="button" class=${kind} aria-label=${name} @click=${onClick}>${label}</button>`;
}

/** A name with its link. */
export function linked(parts, value, length) {
  return html`<a href=${link(parts)}>${text(value, length)}</a>`;
}

/** The beginning of an id, which is enough to tell two apart; all of it in the title. */
export function shortId(parts, id) {
  const string = String(id ?? '');
  const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(string);
  return html`<a class="id" href=${link(parts)} title=${shortened(string, 400)}><bdi>${uuid ? string.slice(0, 8) + '…' : shortened(string, 24)}</bdi></a>`;
}

/** "Order/4711", if there is an aggregate. */
export function aggregate({ aggregateType, aggregateId }) {
  return aggregateType || aggregateId
    ? html`<a href=${link(['messages'], { aggregateType, aggregateId })}>${text([aggregateType, aggregateId].filter(Boolean).join('/'), 48)}</a>`
    : text(undefined);
}

/** The class of an error without its package. */
export function simpleName(className) {
  return String(className ?? '').replace(/^.*[.$](?=[^.$]+$)/, '');
}

/** An error's text without the class, where that is shown beside it. */
export function withoutClass(error, className) {
  const string = String(error ?? '');
  return className && string.startsWith(`${className}: `) ? string.slice(className.length + 2) : string;
}

export function shortened(string, length) {
  return string.length <= length ? string : string.slice(0, length - 1) + '…';
}

function firstLine(string) {
  return string.split('\n', 1)[0];
}

/** Tells screen readers something that is only seen otherwise. */
export function announce(message) {
  const announcer = document.getElementById('announcer');
  if (announcer.textContent !== message) {
    announcer.textContent = message;
  }
}
