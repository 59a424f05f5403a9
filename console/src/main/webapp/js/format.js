// How numbers and times are written. Times are relative to the server's clock, not the browser's.

const numbers = new Intl.NumberFormat('en');
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'local time';

let skew = 0;
let asAbsolute = false;

/** Tells what time it is on the server. */
export function serverTime(iso) {
  const time = Date.parse(iso);
  if (Number.isFinite(time)) {
    skew = time - Date.now();
  }
}

export function now() {
  return Date.now() + skew;
}

export function absoluteTimes(on) {
  asAbsolute = on ?? asAbsolute;
  return asAbsolute;
}

/** For instance "Europe/Berlin, UTC+01:00". */
export function zone(date = new Date(now())) {
  return ZONE === offset(date) ? ZONE : `${ZONE}, ${offset(date)}`;
}

export function count(number, more = false) {
  return typeof number === 'number' ? numbers.format(number) + (more ? '+' : '') : '–';
}

/** "1 message", "2 messages". */
export function counted(number, one, many = one + 's', more = false) {
  return `${count(number, more)} ${number === 1 && !more ? one : many}`;
}

export function perSecond(number) {
  if (typeof number !== 'number') {
    return '–';
  }
  return `${number >= 10 ? count(Math.round(number)) : Math.round(number * 10) / 10}/s`;
}

export function bytes(number) {
  if (typeof number !== 'number') {
    return '–';
  }
  if (number < 1024) {
    return `${count(number)} B`;
  }
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = number / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
}

/** How long: two units at most. */
export function duration(seconds) {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) {
    return '–';
  }
  if (seconds < 10 && seconds % 1 !== 0) {
    return `${Math.round(seconds * 10) / 10} s`;
  }
  let rest = Math.round(seconds);
  const written = [];
  for (const [length, unit] of [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']]) {
    const value = Math.floor(rest / length);
    if (value > 0 && written.length < 2) {
      written.push(`${count(value)} ${unit}`);
    } else if (written.length > 0) {
      break;
    }
    rest -= value * length;
  }
  return written.length > 0 ? written.join(' ') : '0 s';
}

/** "12 min ago", "in 5 s". */
export function relative(iso) {
  const time = Date.parse(iso);
  if (!Number.isFinite(time)) {
    return '–';
  }
  const seconds = (now() - time) / 1000;
  const size = Math.abs(seconds);
  if (size < 2) {
    return 'just now';
  }
  const rounded =
    size < 90 ? `${Math.round(size)} s`
    : size < 5400 ? `${Math.round(size / 60)} min`
    : size < 48 * 3600 ? `${Math.round(size / 3600)} h`
    : `${count(Math.round(size / 86400))} days`;
  return seconds < 0 ? `in ${rounded}` : `${rounded} ago`;
}

/** "2026-11-23 22:41:05.123 UTC+01:00", in the browser's time zone. */
export function absolute(iso) {
  const date = new Date(iso);
  return Number.isFinite(date.getTime()) ? `${plain(date)}.${pad(date.getMilliseconds(), 3)} ${offset(date)}` : '–';
}

/** "22:41:05" */
export function clock(millis) {
  return plain(new Date(millis)).slice(11);
}

/** The text of an input for local time for an instant, and the instant that it means. */
export function toLocalInput(iso) {
  const date = new Date(iso ?? NaN);
  return Number.isFinite(date.getTime()) ? plain(date).replace(' ', 'T') : '';
}

export function fromLocalInput(value) {
  const date = new Date(value);
  return value && Number.isFinite(date.getTime()) ? date.toISOString() : '';
}

function plain(date) {
  return (
    `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}` +
    ` ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
  );
}

function offset(date) {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function pad(number, length = 2) {
  return String(number).padStart(length, '0');
}
