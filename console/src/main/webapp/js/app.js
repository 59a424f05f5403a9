// The shell: header, navigation, and the page that the address names.

import { get } from './api.js';
import { closeDialog } from './dialogs.js';
import * as format from './format.js';
import { html, nothing, render } from './lit.js';
import { announce, empty, head, problem, text } from './parts.js';
import { go, link, watch } from './router.js';
import { history, Poll } from './store.js';
import { actions } from './views/actions.js';
import { archive } from './views/archive.js';
import { audit } from './views/audit.js';
import { configuration } from './views/configuration.js';
import { consumers } from './views/consumers.js';
import { deadLetters } from './views/dead-letters.js';
import { destinations } from './views/destinations.js';
import { erasure } from './views/erasure.js';
import { failures } from './views/failures.js';
import { findings } from './views/findings.js';
import { gaps } from './views/gaps.js';
import { parked, quarantined } from './views/kept.js';
import { messages, searched } from './views/messages.js';
import { nodes } from './views/nodes.js';
import { overview } from './views/overview.js';
import { forgetPayload } from './views/payload.js';
import { policies } from './views/policies.js';

const OVERVIEW_MILLIS = 5_000;
const OVERVIEW_BESIDE_MILLIS = 20_000;
const REDRAW_MILLIS = 10_000;

const missing = {
  section: '',
  title: () => 'No such page',
  every: 0,
  load: async () => ({}),
  render: () => html`${head('No such page')}${empty('There is no page at this address.', 'The pages are on the left, or under Menu.')}`,
};

const views = [overview, failures, messages, destinations, deadLetters, archive, consumers, parked, quarantined, gaps, actions, audit, nodes, findings, policies, configuration, erasure];

const app = { overview: undefined, problem: undefined, menu: false };
let page = { view: missing, route: { parts: [], query: {} } };
let entered = false;

const context = {
  app,
  get route() {
    return page.route;
  },
  can: role => app.overview?.roles?.includes(role) ?? false,
  reload: () => {
    page.poll?.now();
    shellPoll.now();
  },
  redraw,
  say: announce,
  /** To be done after a change: says it, and shows what is now. */
  told: words => () => {
    announce(words);
    context.reload();
  },
};

const shellPoll = new Poll(signal => get(['overview'], { since: history.since }, signal), {
  every: () => (page.view === overview ? OVERVIEW_MILLIS : OVERVIEW_BESIDE_MILLIS),
  onAnswer(answer) {
    format.serverTime(answer.now);
    app.overview = answer;
    app.problem = undefined;
    history.add(answer);
    redraw();
  },
  onProblem(it) {
    app.problem = it;
    redraw();
  },
});

watch(route => {
  const view = route.parts.length === 0 ? overview
    : views.find(it => it.section === route.parts[0] && route.parts.length <= (it.depth ?? 1)) ?? missing;
  const samePlace = page.view === view && page.route.parts.join('/') === route.parts.join('/');
  page.poll?.stop();
  page = { view, route, data: samePlace ? page.data : undefined, problem: undefined, busy: true };
  app.menu = false;
  forgetPayload();
  closeDialog(); // it asks about the page that was left
  const mine = page;
  const settle = changes => {
    if (page === mine) {
      const first = mine.busy;
      Object.assign(mine, changes, { busy: false });
      redraw();
      if (first && mine.headed && document.activeElement === document.body) {
        focusHeading(); // the heading of the page that was loading is gone
      }
      if (first && mine.data?.items) {
        announce(`${format.counted(mine.data.items.length, 'row')}${mine.data.next ? ', and there is another page' : ''}`);
      }
    }
  };
  mine.poll = new Poll(signal => view.load(route, signal), {
    every: typeof view.every === 'function' ? answer => view.every(answer ?? mine.data) : view.every,
    onAnswer: data => settle({ data, problem: undefined }),
    onProblem: it => settle({ problem: it }),
  });
  redraw();
  if (!samePlace) {
    scrollTo(0, 0);
    focusHeading();
  }
  mine.poll.start();
  if (view === overview && app.overview) {
    shellPoll.now();
  }
});
shellPoll.start();

setInterval(() => {
  if (!document.hidden) {
    redraw();
  }
}, REDRAW_MILLIS);

document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault();
  document.getElementById('main')?.focus();
});

/** A new page begins at its heading, for the keyboard and for readers; the first one at its top. */
function focusHeading() {
  if (entered && !document.getElementById('dialog').open) {
    document.querySelector('#main h1')?.focus({ preventScroll: true });
    page.headed = true;
  }
  entered = true;
}

function redraw() {
  const title = page.view.title(page.route);
  const service = app.overview?.service;
  document.title = `${title} – ${service ? `${service} – ` : ''}Postbox`;
  render(shell(), document.getElementById('shell'));
}

function shell() {
  return html`
    <header>
      <a class="brand" href="#/"><img src="css/postbox.svg" alt="" width="26" height="26"><span>Postbox</span></a>
      ${app.overview?.service ? html`<span class="service">${text(app.overview.service, 40)}</span>` : nothing}
      <form class="search" role="search" @submit=${search}>
        <label class="only-read" for="search">Find a message by its id, or by its aggregate, such as Order/4711 or 4711</label>
        <input id="search" name="words" type="search" placeholder="Message id, Order/4711 or 4711" autocomplete="off" spellcheck="false">
      </form>
      <button type="button" class="second menu" aria-expanded=${app.menu ? 'true' : 'false'} aria-controls="pages" @click=${toggleMenu}>Menu</button>
    </header>
    ${navigation()}
    <main id="main" tabindex="-1" aria-busy=${page.busy ? 'true' : 'false'}>
      ${app.problem && page.view === overview ? problem(app.problem, context.reload) : nothing}
      ${page.problem ? problem(page.problem, context.reload) : nothing}
      ${content()}
    </main>
    <footer>
      <span>${person()}</span>
      <span>Times are ${format.absoluteTimes() ? 'absolute' : 'relative'}, in ${format.zone()}.
        <button type="button" class="link" @click=${toggleTimes}>${format.absoluteTimes() ? 'Show how long ago' : 'Show dates'}</button></span>
    </footer>`;
}

function content() {
  if (page.data !== undefined) {
    try {
      return page.view.render(page.data, context);
    } catch (defect) {
      console.error(defect);
      return html`${head(page.view.title(page.route))}${problem({
        title: 'The answer could not be shown',
        detail: 'The server and this page disagree, perhaps because the application was exchanged.',
        wayOut: 'Reload the page.',
      })}`;
    }
  }
  return html`${head(text(page.view.title(page.route), 120))}${page.busy ? html`<p class="soft">Asking the server.</p>` : nothing}`;
}

function navigation() {
  const { outbox, inbox, concerns } = app.overview ?? {};
  const known = app.overview !== undefined;
  const entry = (section, name, trouble) => html`<li><a href=${link(section === 'overview' ? [] : [section])}
    aria-current=${page.view.section === section ? 'page' : nothing}><span>${name}</span>${trouble > 0
      ? html`<span class="count">${format.count(trouble)}</span>` : nothing}</a></li>`;
  return html`<nav id="pages" class=${app.menu ? 'open' : ''} aria-label="Pages">
    <ul>
      ${entry('overview', 'Overview', concerns?.filter(it => it.severity === 'harm').length)}
      ${entry('failures', 'Failures')}
      ${entry('messages', 'Find messages')}
      ${entry('actions', 'Actions')}
    </ul>
    ${known && !outbox ? nothing : html`<p id="nav-outbox">Outbox</p><ul aria-labelledby="nav-outbox">
      ${entry('destinations', 'Destinations')}
      ${entry('dead-letters', 'Dead letters', outbox?.dead)}
      ${entry('archive', 'Archive')}
    </ul>`}
    ${known && !inbox ? nothing : html`<p id="nav-inbox">Inbox</p><ul aria-labelledby="nav-inbox">
      ${entry('consumers', 'Consumers')}
      ${entry('parked', 'Parked', inbox?.parked)}
      ${entry('quarantined', 'Quarantined', inbox?.quarantined)}
      ${entry('gaps', 'Gaps', inbox?.versionGaps)}
    </ul>`}
    <p id="nav-service">Service</p><ul aria-labelledby="nav-service">
      ${entry('nodes', 'Nodes', app.overview?.nodes?.gone)}
      ${entry('findings', 'Findings')}
      ${entry('policies', 'Policies')}
      ${entry('configuration', 'Configuration')}
      ${entry('audit', 'Audit')}
      ${app.overview?.roles?.includes('eraser') ? entry('erasure', 'Erasure') : nothing}
    </ul>
  </nav>`;
}

function person() {
  const { principal, roles } = app.overview ?? {};
  return principal ? html`${text(principal, 60)}: ${(roles ?? []).join(', ')}` : nothing;
}

function search(event) {
  event.preventDefault();
  const words = event.target.elements.words.value;
  if (words.trim() !== '') {
    go(searched(words));
  }
}

function toggleMenu() {
  app.menu = !app.menu;
  redraw();
}

function toggleTimes() {
  format.absoluteTimes(!format.absoluteTimes());
  redraw();
}
