// Links into the console of this application, if it is switched on.

let address;

/** Says where the console is; without an address there are no links. */
export function consoleIsAt(where) {
  address = where;
}

/** The address of one of its pages, such as ['messages', id]; undefined if there is no console. */
export const inConsole = (...parts) =>
  address === undefined ? undefined : address + '#/' + parts.map(encodeURIComponent).join('/');
