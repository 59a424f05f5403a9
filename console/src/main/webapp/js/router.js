// Hash routes: #/part/part?name=value. Every state that a person may want to share is one.

/** The contents of an address: decoded parts, and the query as an object. */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    parts: path.split('/').filter(part => part !== '').map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The address of a route; empty values are left out. */
export function link(parts, query = {}) {
  const values = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(values).toString();
  return '#/' + parts.map(part => encodeURIComponent(part)).join('/') + (search ? '?' + search : '');
}

/** A link that the server sent, if it leads to a page of this console. */
export function trusted(href) {
  return typeof href === 'string' && href.startsWith('#/') ? href : undefined;
}

export function go(href) {
  location.hash = href;
}

/** Calls back with each route, beginning with the present one. */
export function watch(callback) {
  const tell = () => {
    if (location.hash === '' || location.hash.startsWith('#/')) {
      callback(parse(location.hash));
    }
  };
  addEventListener('hashchange', tell);
  tell();
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
