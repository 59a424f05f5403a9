// The sample's page: it polls the API once a second and shows the answers. It writes user input with
// textContent, never as HTML.

const LATEST = 12;
const EVERY_MILLIS = 1000;
const AFTER_AN_ACTION_MILLIS = [150, 400, 800, 1300]; // looks in between: a message is fast
const TRAVELS = {
  orders: ['stop-orders', 'stop-outbox', 'stop-queue'],
  duplicates: ['stop-queue', 'stop-inbox'],
  shipments: ['stop-inbox', 'stop-shipments'],
};

const byId = (id) => document.getElementById(id);
const form = byId('order');
const rows = new Map(); // order number -> its row
let last = {};
let asking = false;

/** Asks the API. Returns what it says; throws an error with its sentence and the field. */
async function api(path, options) {
  const response = await fetch('/api/' + path, { cache: 'no-store', ...options });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error(answer.error || 'The server answered with status ' + response.status);
    error.field = answer.field;
    throw error;
  }
  return answer;
}

/** Lights up stops of the path for a moment, one after the other. */
function travel(stops) {
  stops.forEach((id, at) => {
    const list = byId(id).classList;
    setTimeout(() => list.add('busy'), at * 200);
    setTimeout(() => list.remove('busy'), at * 200 + 400);
  });
}

function showTotals(totals) {
  for (const place of document.querySelectorAll('[data-total]')) {
    const name = place.dataset.total;
    place.textContent = totals[name].toLocaleString('en');
    place.closest('.trouble')?.classList.toggle('some', totals[name] > 0);
    if (name in TRAVELS && totals[name] > last[name]) {
      travel(TRAVELS[name]);
    }
  }
  last = totals;
}

function showUnderWay(orders) {
  const count = orders.filter((order) => order.status === 'PLACED').length;
  const place = byId('under-way');
  place.textContent = count === LATEST ? LATEST + '+' : String(count);
}

function cell(row, text, className) {
  const td = row.insertCell();
  td.textContent = text;
  td.className = className || '';
  return td;
}

function newRow(order) {
  const row = document.createElement('tr');
  cell(row, order.orderId, 'number');
  cell(row, order.sku);
  cell(row, order.quantity, 'number');
  const status = document.createElement('span');
  cell(row, '').append(status);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Send duplicate';
  button.setAttribute('aria-label', 'Send a duplicate of the message of order ' + order.orderId);
  button.addEventListener('click', () => resend(order.orderId, button));
  cell(row, '').append(button);
  return { row, status };
}

/** Changes only what is new, so that a focused button stays focused. */
function showOrders(orders) {
  const body = byId('orders');
  const shown = new Set(orders.map((order) => order.orderId));
  for (const [id, { row }] of rows) {
    if (!shown.has(id)) {
      row.remove();
      rows.delete(id);
    }
  }
  orders.forEach((order, at) => {
    if (!rows.has(order.orderId)) {
      rows.set(order.orderId, newRow(order));
    }
    const { row, status } = rows.get(order.orderId);
    status.textContent = order.status;
    status.className = 'status ' + order.status;
    if (body.children[at] !== row) {
      body.insertBefore(row, body.children[at] || null);
    }
  });
  byId('no-orders').hidden = orders.length > 0;
  showUnderWay(orders);
}

function showConnection(up) {
  const place = byId('connection');
  const text = up ? 'live' : 'server does not answer';
  if (place.textContent !== text) {
    place.textContent = text;
    place.className = 'connection ' + (up ? 'up' : 'down');
  }
}

async function refresh() {
  if (asking) {
    return;
  }
  asking = true;
  try {
    const [orders, totals] = await Promise.all([api('orders?limit=' + LATEST), api('totals')]);
    showOrders(orders);
    showTotals(totals);
    showConnection(true);
  } catch (error) {
    showConnection(false);
  } finally {
    asking = false;
  }
}

function watch() {
  refresh();
  AFTER_AN_ACTION_MILLIS.forEach((millis) => setTimeout(refresh, millis));
}

function fieldError(field, sentence) {
  const input = byId(field);
  byId(field + '-error').textContent = sentence;
  if (sentence) {
    input.setAttribute('aria-invalid', 'true');
  } else {
    input.removeAttribute('aria-invalid');
  }
}

/** A whole number as such; anything else as it was typed, for the API to judge. */
function typedQuantity() {
  const text = form.elements.quantity.value.trim();
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

async function place(event) {
  event.preventDefault();
  const button = form.querySelector('button');
  const done = byId('order-done');
  fieldError('sku', '');
  fieldError('quantity', '');
  byId('order-error').textContent = '';
  done.textContent = '';
  button.disabled = true;
  try {
    const placed = await api('orders', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sku: form.elements.sku.value.trim(), quantity: typedQuantity() }),
    });
    done.textContent = 'Order ' + placed.orderId + ' was placed.';
    done.title = 'message ' + placed.messageId;
    watch();
  } catch (error) {
    if (error.field === 'sku' || error.field === 'quantity') {
      fieldError(error.field, error.message);
      byId(error.field).focus();
    } else {
      byId('order-error').textContent = error.message;
    }
  } finally {
    button.disabled = false;
  }
}

async function resend(orderId, button) {
  const error = byId('resend-error');
  const done = byId('resend-done');
  error.textContent = '';
  done.textContent = '';
  button.disabled = true;
  try {
    const sent = await api('orders/' + orderId + '/resend', { method: 'POST' });
    done.textContent = 'Message ' + sent.messageId + ' of order ' + orderId + ' was resent.';
    watch();
  } catch (problem) {
    error.textContent = problem.message;
  } finally {
    button.disabled = false;
    button.focus();
  }
}

form.addEventListener('submit', place);
refresh();
setInterval(refresh, EVERY_MILLIS);
