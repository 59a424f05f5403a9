// The console's REST API. Every answer is JSON, or a problem (RFC 9457) that says the way out.

const BASE = new URL('api/', document.baseURI);
BASE.username = BASE.password = ''; // no request may have them in its address

const TIMEOUT_MILLIS = 20_000;

/** An answer that is not what was asked for: title, detail and wayOut are for people. */
export class Problem extends Error {
  constructor({ status = 0, title, detail, wayOut }) {
    super(title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.wayOut = wayOut;
  }
}

/**
 * A part of a path: letters, digits, - _ . as they are, every other octet and a dot in front as ~ and two
 * hexadecimal digits. Servers refuse an encoded slash, backslash or number sign.
 */
function segment(part) {
  return Array.from(new TextEncoder().encode(part), (octet, at) =>
    /[\w-]/.test(String.fromCharCode(octet)) || (octet === 0x2e && at > 0)
      ? String.fromCharCode(octet)
      : '~' + octet.toString(16).padStart(2, '0')).join('');
}

/** The address of a resource; path parts are encoded, empty parameters left out. */
export function address(parts, query = {}) {
  const url = new URL(parts.map(segment).join('/'), BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') {
      url.searchParams.set(name, value);
    }
  }
  return url;
}

/** Reads; parts are path parts, for instance ['outbox', 'dead-letters', id]. */
export function get(parts, query, signal) {
  return ask('GET', address(parts, query), undefined, signal);
}

/** Reads all of a payload as a text. */
export async function getText(parts) {
  const answer = await fetch(address(parts, { show: 'full' }), { cache: 'no-store', credentials: 'same-origin' });
  const text = await answer.text();
  if (!answer.ok) {
    throw problemOf(answer.status, parsed(text));
  }
  return text;
}

/** All pages of a list that has few rows: at most a thousand, as one answer. */
export async function getAll(parts, signal) {
  const all = await get(parts, { size: 100 }, signal);
  for (let { next } = all, pages = 1; next && pages < 10; pages++) {
    const more = await get(parts, { size: 100, after: next }, signal);
    all.items.push(...more.items);
    next = more.next;
  }
  return { ...all, next: undefined };
}

/** An answer; undefined where the application has none of that module. */
export async function ifThere(answer) {
  try {
    return await answer;
  } catch (problem) {
    if (problem.status === 404) {
      return undefined;
    }
    throw problem;
  }
}

/** Changes something. Nobody cancels that by leaving the page. */
export function send(method, parts, body) {
  return ask(method, address(parts), body ?? {});
}

async function ask(method, url, body, signal) {
  const limit = AbortSignal.timeout(TIMEOUT_MILLIS);
  const unsafe = method !== 'GET';
  let answer;
  let text;
  try {
    answer = await fetch(url, {
      method,
      headers: unsafe
        ? { accept: 'application/json', 'content-type': 'application/json', 'x-postbox': '1' }
        : { accept: 'application/json' },
      body: unsafe ? JSON.stringify(body) : undefined,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await answer.text();
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw unreachable(unsafe, limit.aborted);
  }
  const type = answer.headers.get('content-type') ?? '';
  if (/[/+]json/.test(type)) {
    const json = parsed(text);
    if (answer.ok && json !== undefined) {
      return json;
    }
    throw problemOf(answer.status, json);
  }
  if (answer.status === 204 || (answer.ok && text === '')) {
    return {};
  }
  if (answer.status === 401 || (answer.ok && type.includes('html'))) {
    throw new Problem({
      status: 401,
      title: 'You are no longer logged in',
      detail: unsafe ? 'Nothing was changed.' : 'The server asks for a login instead of answering.',
      wayOut: 'Reload the page and log in.',
    });
  }
  throw problemOf(answer.status);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(status, json) {
  const fallback = {
    title: status === 403 ? 'Your roles do not allow this' : `The server answered ${status}`,
    detail: undefined,
    wayOut: 'Look at the log of the server.',
  };
  return new Problem({
    status,
    title: words(json?.title) ?? fallback.title,
    detail: words(json?.detail) ?? fallback.detail,
    wayOut: words(json?.wayOut) ?? (json ? undefined : fallback.wayOut),
  });
}

function words(value) {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unreachable(unsafe, late) {
  return new Problem({
    title: late ? 'The server did not answer in time' : 'The server cannot be reached',
    detail: unsafe
      ? 'It is not known whether the change was made.'
      : 'The numbers on this page are from its last answer.',
    wayOut: unsafe ? 'See Actions and Audit before you repeat it.' : 'The page asks again by itself.',
  });
}
