// Polling: one question at a time, none while the tab is hidden, slower while the server fails.

const SHORTEST_MILLIS = 2_000;
const LONGEST_MILLIS = 60_000;

/** Asks again and again, between two and sixty seconds after the last answer. */
export class Poll {
  #load;
  #every;
  #onAnswer;
  #onProblem;
  #timer;
  #asking;
  #problems = 0;
  #stopped = true;

  /**
   * @param load asks, with an AbortSignal
   * @param every milliseconds between an answer and the next question; 0 asks only on demand. A
   *     function of the last answer, or a number
   */
  constructor(load, { every, onAnswer, onProblem }) {
    this.#load = load;
    this.#every = typeof every === 'function' ? every : () => every;
    this.#onAnswer = onAnswer;
    this.#onProblem = onProblem;
    this.visibility = () => this.#seenOrHidden();
  }

  start() {
    this.#stopped = false;
    document.addEventListener('visibilitychange', this.visibility);
    return this.now();
  }

  stop() {
    this.#stopped = true;
    this.#cancel();
    document.removeEventListener('visibilitychange', this.visibility);
  }

  /** Asks at once; a question on its way is abandoned. */
  async now() {
    this.#cancel();
    const asking = new AbortController();
    this.#asking = asking;
    let answer;
    try {
      answer = await this.#load(asking.signal);
      if (asking.signal.aborted) {
        return;
      }
      this.#problems = 0;
      this.#onAnswer(answer);
    } catch (problem) {
      if (asking.signal.aborted) {
        return;
      }
      this.#problems++;
      this.#onProblem(problem);
    }
    this.#asking = undefined;
    this.#plan(answer);
  }

  #plan(answer) {
    const every = this.#every(answer);
    if (this.#stopped || document.hidden || !every) {
      return;
    }
    const delay = Math.min(LONGEST_MILLIS, Math.max(SHORTEST_MILLIS, every) * 2 ** Math.min(this.#problems, 5));
    this.#timer = setTimeout(() => this.now(), delay);
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** A question on its way may be answered; the next one waits until the tab is seen again. */
  #seenOrHidden() {
    clearTimeout(this.#timer);
    if (!document.hidden && !this.#stopped && !this.#asking && this.#every(undefined)) {
      this.now();
    }
  }
}

/** The data of the charts: what the server remembers of the last hour, then each answer since the page was opened. */
export const history = {
  rows: [],

  /** The server's time of the last answer: it need not tell again what was before. */
  since: undefined,

  add(overview) {
    const here = Date.now() / 1000;
    const now = Date.parse(overview.now) / 1000;
    for (const past of overview.history ?? []) {
      const at = here - now + Date.parse(past.now) / 1000; // by this browser's clock, as all rows
      if (at < here && !(at - this.rows.at(-1)?.at < 30)) {
        append(this.rows, rowOf(past, at));
      }
    }
    append(this.rows, rowOf(overview, here));
    this.rows = this.rows.filter(row => here - row.at <= 3_660);
    this.since = overview.now;
  },
};

function append(rows, row) {
  const before = rows.at(-1);
  if (before && row.at - before.at > 90) {
    rows.push({ at: (row.at + before.at) / 2 }); // a gap: nobody counted
  } else if (before?.node === row.node) { // the counters of these are those of one node
    for (const [rate, counter] of [['sent', 'relayed'], ['handled', 'processed'], ['failing', 'failures']]) {
      row[rate] = difference(before?.[counter], row[counter], row.at - before?.at);
    }
  }
  rows.push(row);
}

function rowOf({ node, outbox, inbox }, at) {
  return {
    at,
    node,
    pending: outbox?.pending,
    held: outbox?.held,
    age: outbox?.oldestPendingSeconds,
    dead: outbox?.dead,
    parked: inbox?.parked,
    quarantined: inbox?.quarantined,
    relayed: outbox?.relayed,
    processed: inbox?.processed,
    failures: sum(outbox?.attemptsFailed, inbox?.failures),
  };
}

function sum(...numbers) {
  const known = numbers.filter(number => typeof number === 'number');
  return known.length > 0 ? known.reduce((a, b) => a + b) : undefined;
}

function difference(before, after, seconds) {
  return typeof before === 'number' && typeof after === 'number' && after >= before && seconds > 0
    ? (after - before) / seconds
    : undefined;
}
