// The sample's page: it asks the API once a second while somebody looks, and shows the answers.

import { api } from './api.js';
import { consoleIsAt } from './console.js';
import { byId, setText } from './dom.js';
import { isSettled, showJourney } from './journey.js';
import { followBy, showOrders, showTotals } from './orders.js';
import * as troubles from './troubles.js';

const LATEST = 12;
const EVERY_MILLIS = 1000;
const SOON_MILLIS = 150; // a message is fast

let followed; // the number of the order that the page follows
let settled = false;
let asking = false;
let soon = 0; // how many looks come soon, after an action
let timer;

function follow(orderId) {
  followed = orderId;
  settled = false;
  lookSoon();
}

function lookSoon() {
  soon = 8;
  clearTimeout(timer);
  look();
}

async function look() {
  if (asking || document.hidden) {
    return; // the look that is under way, or the return to the page, goes on
  }
  asking = true;
  try {
    const [orders, totals, state] = await Promise.all([
      api('orders?limit=' + LATEST),
      api('totals'),
      api('troubles'),
    ]);
    showOrders(orders);
    showTotals(totals);
    showConsole(state);
    showServer(state);
    troubles.showState(state);
    followed ??= orders[0]?.orderId;
    const wanted = new Set(troubles.watched());
    if (followed !== undefined) {
      wanted.add(followed);
    }
    await Promise.all([...wanted].map(lookAt));
    showConnection(true);
  } catch (error) {
    showConnection(false);
  } finally {
    asking = false;
    soon = Math.max(0, soon - 1);
    clearTimeout(timer);
    timer = setTimeout(look, soon > 0 && !settled ? SOON_MILLIS : EVERY_MILLIS);
  }
}

async function lookAt(orderId) {
  try {
    const journey = await api('orders/' + orderId + '/journey');
    troubles.showOutcome(journey);
    if (orderId === followed) {
      showJourney(journey);
      settled = isSettled(journey);
    }
  } catch (error) {
    if (error.status !== 404) {
      throw error;
    }
    troubles.forget(orderId);
    if (orderId === followed) {
      followed = undefined;
    }
  }
}

function showConnection(up) {
  const place = byId('connection');
  setText(place, up ? 'live' : 'server does not answer');
  place.className = 'connection ' + (up ? 'up' : 'down');
}

function showConsole({ console, user }) {
  consoleIsAt(console);
  byId('console').hidden = console === undefined;
  byId('console-user').hidden = user === undefined;
  if (console !== undefined) {
    byId('console-link').href = console;
  }
  for (const place of document.querySelectorAll('.console-user-name')) {
    setText(place, user ?? '');
  }
}

/** Where the server's own pages are, if not beside this one. */
function showServer({ healthPort, metricsPath }) {
  if (healthPort !== undefined) {
    for (const link of document.querySelectorAll('[data-of="server"]')) {
      link.port = healthPort;
    }
  }
  if (metricsPath !== undefined) {
    byId('metrics').pathname = metricsPath;
  }
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  look();
});
setText(byId('zone'), 'Times are those of ' + Intl.DateTimeFormat().resolvedOptions().timeZone + '.');
followBy(follow);
troubles.begin({ follow, change: lookSoon });
look();
