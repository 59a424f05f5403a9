// The form, the latest orders, and the totals.

import { placeOrder, post } from './api.js';
import { byId } from './dom.js';

const form = byId('order');
const rows = new Map(); // order number -> its row
let onFollow = () => {};

/** Says whom to tell about the order that a person wants to follow. */
export function followBy(callback) {
  onFollow = callback;
}

export function showTotals(totals) {
  for (const place of document.querySelectorAll('[data-total]')) {
    const name = place.dataset.total;
    place.textContent = totals[name].toLocaleString('en');
    place.closest('.trouble')?.classList.toggle('some', totals[name] > 0);
  }
}

function cell(row, text, className) {
  const td = row.insertCell();
  td.textContent = text;
  td.className = className || '';
  return td;
}

function quiet(text, label, onClick) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = text;
  button.setAttribute('aria-label', label);
  button.addEventListener('click', () => onClick(button));
  return button;
}

function newRow(order) {
  const row = document.createElement('tr');
  cell(row, order.orderId, 'number');
  cell(row, order.sku);
  cell(row, order.quantity, 'number');
  const status = document.createElement('span');
  cell(row, '').append(status);
  cell(row, '').append(
    quiet('Follow', 'Follow order ' + order.orderId, () => {
      onFollow(order.orderId);
      byId('journey-title').scrollIntoView({ block: 'start' });
      byId('journey-title').focus();
    }),
    quiet('Send again', 'Send the message of order ' + order.orderId + ' again', (button) => resend(order.orderId, button)),
  );
  return { row, status };
}

/** Changes only what is new, so that a focused button stays focused. */
export function showOrders(orders) {
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
    const placed = await placeOrder({ sku: form.elements.sku.value.trim(), quantity: typedQuantity() });
    done.textContent = 'Order ' + placed.orderId + ' was placed.';
    onFollow(placed.orderId);
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
    const sent = await post('orders/' + orderId + '/resend');
    done.textContent = 'Message ' + sent.messageId + ' of order ' + orderId + ' was sent again.';
    onFollow(orderId);
  } catch (problem) {
    error.textContent = problem.message;
  } finally {
    button.disabled = false;
    button.focus();
  }
}

form.addEventListener('submit', place);
