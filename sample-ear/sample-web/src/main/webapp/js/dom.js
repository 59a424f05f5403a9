// Small helpers. Every string of the server or a person becomes text, never HTML.

export const byId = (id) => document.getElementById(id);

/** An element with properties, attributes (those with a hyphen, and role) and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') {
      element.setAttribute(name, value);
    } else {
      element[name] = value;
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** Sets a text if it is another one: a live region speaks only then, and a selection stays. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

const filledWith = new WeakMap();

/** Puts children into an element if their key is another one: a focused link stays focused. */
export function fill(element, key, children) {
  if (filledWith.get(element) !== key) {
    filledWith.set(element, key);
    element.replaceChildren(...children());
  }
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3,
});

/** A moment of today, to the millisecond. */
export const clock = (iso) => CLOCK.format(new Date(iso));

/** How much later than another moment: "+12 ms", "+3.4 s". */
export function later(iso, than) {
  const millis = Math.max(0, new Date(iso) - new Date(than));
  return millis < 1000 ? '+' + Math.round(millis) + ' ms' : '+' + (millis / 1000).toFixed(1) + ' s';
}

/** "1 order", "1,000 orders". */
export const counted = (number, one, many = one + 's') =>
  number.toLocaleString('en') + ' ' + (number === 1 ? one : many);
