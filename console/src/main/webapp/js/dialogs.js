// The one dialog: a plan that says in numbers what an action will do, or a question for a reason.

import { html, nothing, render } from './lit.js';
import { send } from './api.js';
import * as format from './format.js';
import { button, number, problem, table, text, when } from './parts.js';
import { go, link } from './router.js';

/** From so many messages on, something that cannot be undone takes more than a click. */
const VERY_MANY = 1_000;
let open = 0;

function dialog() {
  return document.getElementById('dialog');
}

/** Closes the dialog, if it is open: nothing is changed. */
export function closeDialog() {
  if (dialog().open) {
    dialog().close();
  }
}

/** Opens the dialog with a function that renders it; a later one takes its place. */
function show(content) {
  const element = dialog();
  const mine = ++open;
  const close = () => element.close();
  const draw = () => {
    if (mine === open) {
      render(content({ close, draw }), element);
    }
  };
  draw();
  if (!element.open) {
    element.showModal();
    element.addEventListener('close', () => { open++; render(nothing, element); }, { once: true });
  }
  return { close, draw, isOpen: () => mine === open && element.open };
}

function frame(title, content, buttons) {
  return html`
    <h2 id="dialog-title" tabindex="-1">${title}</h2>
    ${content}
    <div class="dialog-buttons">${buttons}</div>`;
}

/**
 * Asks for a reason, and perhaps more, and does something with it.
 *
 * @param run gets the values of the form; its problem is shown, otherwise the dialog closes
 */
export function askReason({ title, explanation, verb, danger = false, fields = [], run, done = () => {} }) {
  const state = { busy: false, problem: undefined };
  const shown = show(({ close, draw }) => frame(
    title,
    html`
      ${explanation ? html`<p>${explanation}</p>` : nothing}
      <form id="dialog-form" novalidate @submit=${event => submit(event, state, draw, act)}>
        ${fields.map(input)}
        ${reasonField(state)}
      </form>
      ${state.problem ? problem(state.problem) : nothing}`,
    html`
      ${button('Cancel', close)}
      <button type="submit" form="dialog-form" class=${danger ? 'danger' : ''} ?disabled=${state.busy}>${verb}</button>`,
  ));
  focus('#dialog-form input, #dialog-form textarea');

  async function act(values) {
    const result = await run(values);
    shown.close();
    done(result);
  }
}

/**
 * Asks for the values of a form, and goes on with them in another dialog.
 *
 * @param next gets the values, and opens the other dialog; its problem is shown, and the form stays
 */
export function openForm({ title, explanation, verb, fields, next }) {
  const state = { busy: false, problem: undefined };
  show(({ close, draw }) => frame(
    title,
    html`
      ${explanation ? html`<p>${explanation}</p>` : nothing}
      <form id="dialog-form" novalidate @submit=${event => submit(event, state, draw, next)}>
        ${fields.map(input)}
        ${state.missing ? html`<p class="wrong" role="alert">${state.wrong}</p>` : nothing}
      </form>
      ${state.problem ? problem(state.problem) : nothing}`,
    html`
      ${button('Cancel', close)}
      <button type="submit" form="dialog-form" ?disabled=${state.busy}>${verb}</button>`,
  ));
  focus('#dialog-form input, #dialog-form textarea');
}

/**
 * Has the server make a plan, shows its numbers, and runs it when there is a reason.
 *
 * @param request {parts, body}: makes the plan
 * @param made the plan, if it was made already
 * @param details more about the plan, from the plan
 * @param verb what the button says, from the number of messages
 * @param paced whether a rate and "the first n" can be chosen
 * @param first what is proposed for "the first n"
 * @param choice {name, label, options: [value, text]}: goes into the request; another one, another plan
 * @param fields more fields of the form
 * @param lasting whether it is also about messages that come later, and makes sense without any now
 * @param run gets the plan and the values; answers the address to go to. By default it runs the plan
 *     in the background and goes to its action
 */
export function openPlan({ title, request, made, details, verb, danger = false, paced = false, first, choice, fields = [], lasting = false, run = runPlan, done = () => {} }) {
  const state = {
    plan: made, problem: undefined, busy: false, reason: undefined,
    chosen: choice?.options[0][0], first: first ? String(first) : '', rate: undefined,
  };
  const works = () => state.plan !== undefined && (lasting || state.plan.messages > 0);
  const shown = show(({ close, draw }) => frame(
    title,
    html`<div aria-live="polite" aria-busy=${state.plan || state.problem ? 'false' : 'true'}>
        ${state.plan ? html`${planned(state, lasting)}${details ? details(state.plan) : nothing}` : state.problem ? nothing : html`<p class="soft">Counting what this would touch. Nothing is changed yet.</p>`}
      </div>
      ${works() ? html`
        <form id="dialog-form" novalidate @submit=${event => submit(event, state, draw, act)} @input=${event => typed(event, draw)}>
          ${choice ? choices(choice, state, draw) : nothing}
          ${fields.map(input)}
          ${paced && state.plan.messages > 1 ? pace(state) : nothing}
          ${danger && state.plan.messages >= VERY_MANY ? countField(state) : nothing}
          ${reasonField(state)}
          <p class="hint">The plan is yours alone, works once, and ends ${when(state.plan.expiresAt)}.
            ${lasting ? nothing : 'Messages that come after it are not part of it.'}</p>
        </form>` : nothing}
      ${state.problem ? problem(state.problem, state.busy || made ? undefined : plan) : nothing}`,
    html`
      ${button(works() ? 'Cancel' : 'Close', close)}
      ${works()
        ? html`<button type="submit" form="dialog-form" class=${danger ? 'danger' : ''} ?disabled=${state.busy || state.problem !== undefined}>${verb(state.plan.messages)}${ahead(state)}</button>`
        : nothing}`,
  ));
  focus('#dialog-title');
  if (!made) {
    plan();
  }

  async function plan() {
    state.plan = undefined;
    state.problem = undefined;
    shown.draw();
    try {
      const body = choice ? { ...request.body, [choice.name]: state.chosen } : request.body;
      state.plan = await send('POST', request.parts, body);
      state.rate ??= String(state.plan.rate ?? '');
    } catch (failure) {
      state.problem = failure;
    }
    shown.draw();
    if (state.plan && shown.isOpen()) {
      focus('#dialog-form input, #dialog-form textarea, #dialog-title');
    }
  }

  function typed(event, draw) {
    if (event.target.name === 'first' || event.target.name === 'perSecond') {
      state[event.target.name === 'first' ? 'first' : 'rate'] = event.target.value;
      draw();
    }
  }

  function choices({ name, label, options }, current) {
    return html`<fieldset><legend>${label}</legend>
      ${options.map(([value, words]) => html`<label class="option"><input type="radio" name=${name} value=${value}
        .checked=${current.chosen === value} @change=${() => { state.chosen = value; plan(); }}> ${words}</label>`)}
    </fieldset>`;
  }

  async function act(values) {
    const href = await run(state.plan, values);
    shown.close();
    if (href) {
      go(href);
    }
    done();
  }
}

/** Does something with a form that is complete, once; its problem is shown. */
async function submit(event, state, draw, act) {
  event.preventDefault();
  const values = valuesOf(event.target);
  if (state.busy || !complete(event.target, state, draw)) {
    return;
  }
  state.busy = true;
  draw();
  try {
    await act(values);
  } catch (failure) {
    state.problem = failure;
    state.busy = false;
    draw();
  }
}

/** Runs a plan in the background; the address of its action. */
export async function runPlan({ id }, { reason, perSecond, first }) {
  const { action } = await send('POST', ['plans', id, 'run'], {
    reason,
    ...(perSecond ? { perSecond: Number(perSecond) } : {}),
    ...(first ? { first: Number(first) } : {}),
  });
  return link(action ? ['actions', action] : ['actions']);
}

/** The button's addition where some go ahead of the others. */
function ahead({ plan, first }) {
  const some = whole(first);
  return some === undefined || some >= plan.messages ? '' : `, ${format.count(some)} first`;
}

function planned(state, lasting) {
  const { plan } = state;
  if (!(plan.messages > 0 || lasting)) {
    return html`<p><strong>There is nothing to do.</strong> No message meets this filter any more.</p>`;
  }
  const rows = plan.destinations ?? plan.consumers ?? [];
  const oldest = extreme(rows.map(row => row.oldest), (a, b) => a < b);
  const newest = extreme(rows.map(row => row.newest), (a, b) => a > b);
  return html`
    <dl class="numbers">
      ${figure('Messages', number(plan.messages, plan))}
      ${figure('Ordering keys', plan.orderingKeys === undefined ? undefined : number(plan.orderingKeys))}
      ${figure('Wait behind them', plan.followers === undefined ? undefined : number(plan.followers))}
      ${figure('Past their time limit', plan.expired ? number(plan.expired, { trouble: true }) : undefined)}
      ${figure('Takes', state.plan.rate === undefined ? undefined : format.duration(takes(state)))}
    </dl>
    ${oldest ? html`<p class="span">The oldest is from ${when(oldest)}, the newest from ${when(newest)}.</p>` : nothing}
    ${rows.length > 1 ? table({
      caption: 'By destination or consumer',
      rows,
      columns: [
        { name: plan.destinations ? 'Destination' : 'Consumer', cell: row => text(row.destination ?? row.consumer, 40) },
        { name: 'Messages', numeric: true, cell: row => number(row.letters ?? row.messages) },
        ...(plan.destinations ? [{ name: 'Behind', numeric: true, cell: row => number(row.followers) }] : []),
        { name: 'Oldest', cell: row => when(row.oldest) },
      ],
    }) : nothing}
    ${plan.effect?.length > 0 ? html`<h3>What will happen</h3><ul class="effect">${plan.effect.map(sentence => html`<li><bdi>${sentence}</bdi></li>`)}</ul>` : nothing}`;
}

function figure(name, value) {
  return value === undefined ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function takes(state) {
  const rate = whole(state.rate) ?? state.plan.rate;
  return Math.ceil(state.plan.messages / rate);
}

function pace(state) {
  return html`<div class="pair">
    <div class="field">
      <label for="dialog-per-second">Messages per second</label>
      <input id="dialog-per-second" name="perSecond" inputmode="numeric" autocomplete="off" .value=${state.rate ?? ''}>
    </div>
    <div class="field">
      <label for="dialog-first">Try first <span class="soft">(optional)</span></label>
      <input id="dialog-first" name="first" inputmode="numeric" autocomplete="off" aria-describedby="dialog-first-hint" .value=${state.first}>
    </div>
    <p class="hint" id="dialog-first-hint">So many go ahead of the others. If one of them fails again, the action pauses; once all were sent, or handled by their consumers, it goes on with the others.</p>
  </div>`;
}

/** @param known names to choose from; another one can be typed */
function input({ name, label, value = '', hint, optional = false, rows = 0, options, known }) {
  return html`<div class="field">
    <label for="dialog-${name}">${label}${optional && rows === 0 ? html` <span class="soft">(optional)</span>` : nothing}</label>
    ${known ? html`<datalist id="dialog-${name}-known">${known.map(each => html`<option value=${each}></option>`)}</datalist>` : nothing}
    ${options ? html`<select id="dialog-${name}" name=${name}>${options.map(([key, words]) => html`<option value=${key} ?selected=${key === value}>${words}</option>`)}</select>`
      : rows > 0 ? html`<textarea id="dialog-${name}" name=${name} rows=${rows} autocomplete="off" spellcheck="false" ?required=${!optional}
      aria-describedby=${hint ? `dialog-${name}-hint` : nothing} .value=${value}></textarea>` : html`<input id="dialog-${name}" name=${name} autocomplete="off" spellcheck="false" ?required=${!optional} list=${known ? `dialog-${name}-known` : nothing}
      aria-describedby=${hint ? `dialog-${name}-hint` : nothing} .value=${value}>`}
    ${hint ? html`<p class="hint" id="dialog-${name}-hint">${hint}</p>` : nothing}
  </div>`;
}

function countField({ plan }) {
  return html`<div class="field">
    <label for="dialog-count">Type ${format.count(plan.messages)}, the number of messages</label>
    <input id="dialog-count" name="count" inputmode="numeric" autocomplete="off" required data-count=${plan.messages}>
  </div>`;
}

function reasonField(state) {
  return html`<div class="field">
    <label for="dialog-reason">Reason</label>
    <input id="dialog-reason" name="reason" autocomplete="off" maxlength="500" required
      aria-describedby="dialog-reason-hint" aria-invalid=${state.missing === 'reason' ? 'true' : nothing}>
    <p class="hint" id="dialog-reason-hint">It is kept in the audit, with your name.</p>
    ${state.missing ? html`<p class="wrong" role="alert">${state.wrong}</p>` : nothing}
  </div>`;
}

/** Whether the form is complete; otherwise it says which field is not, and goes there. */
function complete(form, state, draw) {
  state.problem = undefined;
  state.missing = undefined;
  for (const field of form.elements) {
    if (field.required && field.value.trim() === '') {
      state.missing = field.name;
      state.wrong = field.name === 'reason'
        ? 'Give a reason: the next person reads it in the audit.'
        : `${field.labels[0].textContent} is missing.`;
    } else if (field.dataset.count && field.value.replace(/\D/g, '') !== field.dataset.count) {
      state.missing = field.name;
      state.wrong = 'This is not the number of messages that would be touched.';
    } else if ((field.name === 'first' || field.name === 'perSecond') && field.value.trim() !== '' && whole(field.value) === undefined) {
      state.missing = field.name;
      state.wrong = `${field.labels[0].textContent}: a whole number from 1.`;
    }
    if (state.missing) {
      draw();
      field.focus();
      return false;
    }
  }
  draw();
  return true;
}

function valuesOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => {
    const field = form.elements[name];
    return [name, field.tagName === 'TEXTAREA' ? field.value : value.trim()];
  }));
}

/** The module has the bounds. */
function whole(value) {
  const found = /^\s*(\d{1,9})\s*$/.exec(value ?? '');
  return found && Number(found[1]) >= 1 ? Number(found[1]) : undefined;
}

function extreme(values, better) {
  return values.filter(Boolean).reduce((best, value) => (best === undefined || better(value, best) ? value : best), undefined);
}

/** Focuses the field for the reason if there is one, as it is the first thing to fill in. */
function focus(selector) {
  const element = dialog().querySelector('#dialog-form input[required]') ?? dialog().querySelector(selector) ?? dialog().querySelector('#dialog-title');
  element?.focus();
}
