// SPDX-License-Identifier: Apache-2.0
// One plot over time (uPlot): a line at the present moment, drag moves time, Shift+drag or wheel zooms, CSV and PNG out.
import uPlot from 'uplot';
import { plain, tickTexts } from '../analysis/units';
import type { Series } from '../protocol/mesh';
import { download, el, icon } from '../ui/dom';
import { align, stackEnergies, toCsv } from './data';
import { SUPPLY, type Quantity } from './quantities';
import type { SeriesSource } from './source';

export interface PlotHost {
  source: SeriesSource;
  time(): number;
  seek(time: number): void;
  remove(plot: Plot): void;
}

const HEIGHT = 150;

export class Plot {
  readonly element: HTMLElement;
  private readonly body = el('div', { class: 'plot-body' });
  private readonly value = el('span', { class: 'plot-value' });
  private chart: uPlot | null = null;
  private range: [number, number] | null = null;
  private table: { names: string[]; columns: ArrayLike<number>[] } = { names: [], columns: [] };
  private ticket = 0;
  /// Done when what was asked for last is drawn.
  loading: Promise<void> = Promise.resolve();

  constructor(readonly quantity: Quantity, private readonly host: PlotHost) {
    const button = (label: string, text: string, run: () => void) => el('button', { type: 'button', class: 'link', title: label, 'aria-label': `${label}: ${quantity.title}`, onclick: run }, text);
    this.element = el('figure', { class: 'plot', 'data-plot': quantity.id },
      el('figcaption', {}, el('span', { class: 'plot-title' }, quantity.title, quantity.unit ? el('span', { class: 'unit' }, ` ${quantity.unit}`) : null), this.value, el('span', { class: 'plot-actions' },
        button('Save the numbers', 'CSV', () => this.saveCsv()), button('Save the picture', 'PNG', () => this.savePng()),
        el('button', { type: 'button', class: 'icon-button small', 'aria-label': `Remove ${quantity.title}`, onclick: () => host.remove(this) }, icon('close')))), this.body);
    new ResizeObserver(() => this.chart?.setSize({ width: this.width(), height: HEIGHT })).observe(this.body);
  }

  private width(): number {
    return Math.max(120, this.body.clientWidth);
  }

  /// Fetches (again) what is to be seen.
  load(): Promise<void> {
    this.loading = this.fetchAndDraw();
    return this.loading;
  }

  private async fetchAndDraw(): Promise<void> {
    const ticket = ++this.ticket;
    const { lines, stacked } = this.quantity;
    try {
      const fetch = (name: string) => this.host.source.series(name, this.range ?? undefined, Math.max(400, 2 * this.width()));
      const list = await Promise.all(lines.map((line) => fetch(line.series)));
      const supply = stacked ? await Promise.all(SUPPLY.map((name) => fetch(name).catch(() => ({ t: new Float64Array(1), y: new Float64Array(1) })))) : [];
      if (ticket !== this.ticket) return;
      if (!list.some((series) => series.t.length)) return this.message('No numbers yet.');
      if (stacked) this.showStack(list, supply);
      else this.showLines(list);
    } catch (problem) {
      if (ticket === this.ticket) this.message((problem as Error).message);
    }
  }

  private showLines(list: Series[]): void {
    const { t, columns } = align(list);
    const { lines, log } = this.quantity;
    const shown = columns.map((column, k) => (lines[k].transform ? column.map(lines[k].transform!) : column));
    this.table = { names: ['time [s]', ...lines.map((line) => `${line.label}${this.quantity.unit ? ` [${this.quantity.unit}]` : ''}`)], columns: [t, ...shown] };
    // A logarithm has no place for zero.
    const drawn = log ? shown.map((column) => column.map((v) => (v > 0 ? v : NaN))) : shown;
    const series = lines.map((line) => ({ label: line.label, key: line.colour, stroke: line.colour, width: 1.5, points: { show: false }, spanGaps: false }));
    this.draw([t, ...drawn], series, []);
  }

  private showStack(list: Series[], supply: Series[]): void {
    const { lines } = this.quantity;
    const stack = stackEnergies(list.slice(0, 3), list.slice(3), supply);
    this.table = { names: ['time [s]', ...lines.map((line) => `${line.label} [J]`), 'supplied [J]'], columns: [stack.t, ...stack.parts, stack.supplied] };
    const largest = Math.max(...stack.tops[stack.tops.length - 1].map(Math.abs), 1e-300);
    const used = lines.map((_, k) => stack.parts[k].some((v) => Math.abs(v) > 1e-3 * largest));  // layers too thin to see are left out of the key
    const series = lines.map((line, k) => ({ label: line.label, key: line.colour, stroke: line.colour, width: 1, fill: k === 0 ? `${line.colour}99` : undefined, points: { show: false }, show: used[k] || k === 0 }));
    const order = lines.map((_, k) => k).filter((k) => used[k] || k === 0);
    const bands = order.slice(1).map((k, i) => ({ series: [k + 1, order[i] + 1] as [number, number], fill: `${lines[k].colour}99` }));
    this.draw([stack.t, ...stack.tops, stack.supplied], [...series, { label: 'supplied', stroke: '#888', width: 1.2, dash: [5, 4], points: { show: false }, show: true }], bands);
  }

  private draw(data: ArrayLike<number>[], series: object[], bands: { series: [number, number]; fill: string }[]): void {
    this.chart?.destroy();
    const style = getComputedStyle(document.documentElement);
    const [ink, rule] = [style.getPropertyValue('--muted').trim(), style.getPropertyValue('--rule').trim()];
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    const many = this.quantity.lines.length > 1;
    const [first, last] = [data[0][0], data[0][data[0].length - 1]];
    this.chart = new uPlot({
      width: this.width(), height: HEIGHT, series: [{}, ...series], bands, padding: [8, 8, 0, 0],
      legend: { show: many, live: false, markers: { width: 0, fill: (u: uPlot, k: number) => (u.series[k] as { key?: string }).key ?? '#888' } }, focus: { alpha: 0.3 },
      scales: { x: { time: false, range: (_, low, high) => this.range ?? [Math.min(low, first), high > low ? high : last + 1e-9] }, y: this.quantity.log ? { distr: 3 } : { range: (_: uPlot, low: number, high: number) => yRange(low, high) } },
      axes: [{ ...axis, size: 24, space: 60 }, { ...axis, size: (_: uPlot, texts: string[] | null) => Math.max(62, 16 + 6.4 * Math.max(0, ...(texts ?? []).map((t) => t?.length ?? 0))), values: (_: uPlot, values: (number | null)[]) => tickTexts(values, this.quantity.unit), ...(this.quantity.log ? { filter: decades, grid: { ...axis.grid, filter: decades }, ticks: { ...axis.ticks, filter: decades } } : {}) }],
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false, bind: { mousedown: (u, _target, handler) => (event: MouseEvent) => this.press(u, event, handler), dblclick: () => () => (this.zoom(null), null) } },
      hooks: { setSelect: [(u) => this.select(u)], draw: [(u) => this.drawTime(u)], setLegend: [() => this.cursorMoved()] },
    } as uPlot.Options, data as uPlot.AlignedData, this.body);
    this.body.querySelector('.plot-message')?.remove();
    this.chart.over.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.cursorMoved();
  }

  private press(u: uPlot, event: MouseEvent, handler: (event: MouseEvent) => null): null {
    if (event.shiftKey) return handler(event);
    const box = u.over.getBoundingClientRect();
    const go = (e: MouseEvent) => this.host.seek(u.posToVal(Math.min(box.width, Math.max(0, e.clientX - box.left)), 'x'));
    const stop = () => {
      window.removeEventListener('mousemove', go);
      window.removeEventListener('mouseup', stop);
    };
    window.addEventListener('mousemove', go);
    window.addEventListener('mouseup', stop);
    go(event);
    return null;
  }

  private select(u: uPlot): void {
    if (u.select.width < 4) return;
    this.zoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey) return;  // the panel scrolls
    event.preventDefault();
    const u = this.chart!;
    const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x');
    const factor = Math.exp(0.002 * (event.deltaY || event.deltaX));
    const [low, high] = [u.scales.x.min!, u.scales.x.max!];
    this.zoom([at + (low - at) * factor, at + (high - at) * factor]);
  }

  zoom(range: [number, number] | null): void {
    this.range = range;
    void this.load();
  }

  /// The present moment as a line, and the values there in the caption.
  private drawTime(u: uPlot): void {
    const x = u.valToPos(this.host.time(), 'x', true);
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    const pen = u.ctx;
    pen.save();
    pen.setLineDash([]);
    pen.strokeStyle = '#ff7a1a';
    pen.lineWidth = 1.5 * devicePixelRatio;
    pen.beginPath();
    pen.moveTo(x, u.bbox.top);
    pen.lineTo(x, u.bbox.top + u.bbox.height);
    pen.stroke();
    pen.restore();
  }

  cursorMoved(): void {
    if (!this.chart) return;
    this.chart.redraw(false, false);
    const { columns } = this.table;
    const t = columns[0];
    if (!t?.length) return;
    let [low, high] = [0, t.length - 1];
    const now = this.host.time();
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (t[middle] <= now + 1e-12) low = middle;
      else high = middle - 1;
    }
    const shown = this.quantity.stacked ? [] : columns.slice(1).map((column) => plain(column[low], 3));
    this.value.textContent = shown.join('  ');
  }

  private message(text: string): void {
    this.chart?.destroy();
    this.chart = null;
    this.body.replaceChildren(el('p', { class: 'plot-message hint' }, text));
  }

  csv(): string {
    return toCsv(this.table.names, this.table.columns);
  }
  private saveCsv(): void {
    download(`${fileName(this.quantity.title)}.csv`, new Blob([this.csv()], { type: 'text/csv' }));
  }
  private savePng(): void {
    if (!this.chart) return;
    const from = this.chart.ctx.canvas;
    const head = 30 * devicePixelRatio;
    const canvas = el('canvas', { width: from.width, height: from.height + head });
    const pen = canvas.getContext('2d')!;
    const style = getComputedStyle(document.documentElement);
    pen.fillStyle = style.getPropertyValue('--panel').trim() || '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = style.getPropertyValue('--ink').trim();
    pen.font = `600 ${13 * devicePixelRatio}px system-ui, sans-serif`;
    pen.fillText(`${this.quantity.title}${this.quantity.unit ? ` [${this.quantity.unit}]` : ''}`, 10 * devicePixelRatio, 20 * devicePixelRatio);
    pen.drawImage(from, 0, head);
    canvas.toBlob((blob) => blob && download(`${fileName(this.quantity.title)}.png`, blob));
  }
  destroy(): void {
    this.chart?.destroy();
    this.element.remove();
  }
}

/// Some room above and below; a line that does not move is in the middle, not rounding noise over the whole height.
/// What changes by less than a hundred-thousandth of itself is drawn as constant: a rod does not breathe because of rounding.
export function yRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-5 * size || high === low) return size > 0 ? [low - 0.1 * size, high + 0.1 * size] : [-1, 1];
  const room = 0.06 * (high - low);
  return [low >= 0 && low < room ? 0 : low - room, high + room];
}

/// Of a logarithmic axis only whole powers of ten are written and ruled.
function decades(_: uPlot, splits: (number | null)[]): (number | null)[] {
  return splits.map((v) => (v !== null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6 ? v : null));
}

function fileName(title: string): string {
  return title.replace(/[^\w-]+/g, '_');
}
