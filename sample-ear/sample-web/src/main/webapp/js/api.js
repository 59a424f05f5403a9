// The sample's API, which says in a sentence what is wrong.

/** Asks the API. Returns what it says; throws an error with its sentence and the field. */
export async function api(path, options) {
  const response = await fetch('/api/' + path, { cache: 'no-store', ...options });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error(answer.error || answer.detail || 'The server answered with status ' + response.status);
    error.field = answer.field;
    error.status = response.status;
    throw error;
  }
  return answer;
}

/** Has the server do something that needs no body. */
export const post = (path) => api(path, { method: 'POST' });

const requestFor = (order, headers = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(order),
});

/** Places an order; what is wrong with it names its field. */
export const placeOrder = (order) => api('orders', requestFor(order));

/** Sends one request for an order twice, with one key; the status and text of both answers. */
export async function placeOrderTwice(order) {
  const octets = [...crypto.getRandomValues(new Uint8Array(16))];
  const key = octets.map((octet) => octet.toString(16).padStart(2, '0')).join('');
  const answers = [];
  for (let times = 0; times < 2; times++) {
    const response = await fetch('/api/orders', { cache: 'no-store', ...requestFor(order, { 'Idempotency-Key': key }) });
    answers.push({ status: response.status, text: await response.text() });
  }
  return { key, answers };
}
