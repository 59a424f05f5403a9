// A live chart: uPlot, in the colours of the page, with its numbers as text for all who do not see it.

import uPlot from '../lib/uplot/uPlot.esm.js';
import { html, ref } from './lit.js';
import * as format from './format.js';

const HEIGHT = 132;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Draws some fields of the history's rows; make one for each place on a page, once. */
export class Chart {
  #title;
  #series;
  #write;
  #rows = [];
  #plot;
  #element;
  #size = new ResizeObserver(() => this.#fit());

  /**
   * @param series {name, field, color}: color is a custom property of the style sheet
   * @param write writes a value of the axis
   */
  constructor({ title, series, write = format.count }) {
    this.#title = title;
    this.#series = series;
    this.#write = write;
    dark.addEventListener('change', () => this.#draw());
  }

  /** The chart with its last values. */
  show(rows) {
    this.#rows = rows;
    const known = this.#series.filter(({ field }) => rows.some(row => typeof row[field] === 'number'));
    this.#plot?.setData(this.#data());
    return html`
      <figure class="chart">
        <figcaption>
          <span class="chart-title">${this.#title}</span>
          ${known.map(({ name, field, color }) => html`<span class="key ${color}">${name} <strong>${this.#write(last(rows, field))}</strong></span>`)}
        </figcaption>
        <div class="plot" role="img" aria-label=${this.#summary(known)} ${ref(this.#attach)}></div>
      </figure>`;
  }

  #attach = element => {
    if (element === this.#element) {
      return;
    }
    this.#size.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#element = element;
    if (element) {
      this.#size.observe(element);
    }
  };

  #fit() {
    const width = this.#element?.clientWidth ?? 0;
    if (width === 0) {
      return;
    }
    if (this.#plot) {
      if (this.#plot.width !== width) {
        this.#plot.setSize({ width, height: HEIGHT });
      }
    } else {
      this.#draw();
    }
  }

  #draw() {
    const width = this.#element?.clientWidth ?? 0;
    if (width === 0) {
      return;
    }
    this.#plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    const axis = { stroke: color('soft'), grid: { stroke: color('line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    this.#plot = new uPlot(
      {
        width,
        height: HEIGHT,
        padding: [8, 20, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true }, y: { range: (_, low, high) => [0, Math.max(1.08 * (high ?? 0), 1)] } },
        axes: [
          { ...axis, size: 22, space: 70, values: (_, times) => clocks(times) },
          { ...axis, size: 62, space: 28, values: (_, values) => values.map(value => this.#write(value)) },
        ],
        series: [
          {},
          ...this.#series.map(line => ({ stroke: color(line.color), width: 1.75, points: { show: false }, spanGaps: false })),
        ],
      },
      this.#data(),
      this.#element,
    );
  }

  #data() {
    return [
      this.#rows.map(row => row.at),
      ...this.#series.map(({ field }) => this.#rows.map(row => row[field] ?? null)),
    ];
  }

  #summary(known) {
    const values = known.map(({ name, field }) => {
      const all = this.#rows.map(row => row[field]).filter(value => typeof value === 'number');
      return `${name} ${this.#write(all.at(-1))}, between ${this.#write(Math.min(...all))} and ${this.#write(Math.max(...all))}`;
    });
    return `${this.#title}: ${values.join('; ') || 'no numbers yet'}`;
  }
}

/** The times of an axis; with seconds where two of them would read the same otherwise. */
export function clocks(times) {
  const all = times.map(time => format.clock(time * 1000));
  const minutes = all.map(time => time.slice(0, 5));
  return new Set(minutes).size === minutes.length ? minutes : all;
}

function last(rows, field) {
  return rows.findLast(row => typeof row[field] === 'number')?.[field];
}
