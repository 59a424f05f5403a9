// The sample's API, which says in a sentence what is wrong.

/** Asks the API. Returns what it says; throws an error with its sentence and the field. */
export async function api(path, options) {
  const response = await fetch('/api/' + path, { cache: 'no-store', ...options });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error(answer.error || 'The server answered with status ' + response.status);
    error.field = answer.field;
    error.status = response.status;
    throw error;
  }
  return answer;
}

/** Has the server do something that needs no body. */
export const post = (path) => api(path, { method: 'POST' });

/** Places an order; what is wrong with it names its field. */
export const placeOrder = (order) =>
  api('orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  });
