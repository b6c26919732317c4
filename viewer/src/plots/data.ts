// SPDX-License-Identifier: Apache-2.0
// From series to the columns of a plot: common times, stacking of energies, text for spreadsheets.
import type { Series } from '../protocol/mesh';

/// Linear between samples, held at the ends.
export function sample(series: Series, t: number): number {
  const { t: times, y } = series;
  if (!times.length) return NaN;
  if (t <= times[0]) return y[0];
  let [low, high] = [0, times.length - 1];
  if (t >= times[high]) return y[high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const width = times[high] - times[low];
  return width > 0 ? y[low] + ((t - times[low]) / width) * (y[high] - y[low]) : y[high];
}

/// All times of all series, each once, rising.
export function mergeTimes(list: Series[]): Float64Array {
  if (list.length === 1) return list[0].t;
  const all = new Float64Array(list.reduce((n, s) => n + s.t.length, 0));
  let at = 0;
  for (const series of list) {
    all.set(series.t, at);
    at += series.t.length;
  }
  all.sort();
  let n = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[n - 1]) all[n++] = all[i];
  return all.slice(0, n);
}

export interface Columns {
  t: Float64Array;
  columns: Float64Array[];
}

export function align(list: Series[]): Columns {
  const t = mergeTimes(list);
  return { t, columns: list.map((series) => (series.t === t ? series.y : Float64Array.from(t, (time) => sample(series, time)))) };
}

export interface EnergyStack {
  t: Float64Array;
  parts: Float64Array[];   ///< kinetic, gravity above its lowest, elastic, then the losses as positive numbers
  tops: Float64Array[];    ///< running sums of the parts, from bottom to top
  supplied: Float64Array;  ///< energy at the start plus the work of loads and drives: where the top should be
}

/// `energies`: kinetic, gravity, elastic; `works`: contact, friction, joints, damping (summed from the start);
/// `supplies`: loads, drives. What the top lies off `supplied` is made or lost by the discretisation.
export function stackEnergies(energies: Series[], works: Series[], supplies: Series[]): EnergyStack {
  const { t, columns } = align([...energies, ...works, ...supplies]);
  const lowest = columns[1].reduce((low, v) => Math.min(low, v), Infinity);
  const parts = columns.slice(0, 3 + works.length).map((column, k) => (k === 1 ? column.map((v) => v - lowest) : k >= 3 ? column.map((v) => 0 - v) : column));
  const tops: Float64Array[] = [];
  parts.forEach((part, k) => tops.push(k === 0 ? Float64Array.from(part) : part.map((v, i) => v + tops[k - 1][i])));
  const top = tops[tops.length - 1];
  const given = columns.slice(3 + works.length);
  const supplied = t.map((_, i) => top[0] + given.reduce((sum, column) => sum + column[i] - column[0], 0));
  return { t, parts, tops, supplied };
}

/// RFC 4180: quoted where needed, one line per time, full precision; no number: empty.
export function toCsv(names: string[], columns: ArrayLike<number>[]): string {
  const quote = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [names.map(quote).join(',')];
  const n = columns[0]?.length ?? 0;
  for (let i = 0; i < n; i++) lines.push(columns.map((column) => (Number.isFinite(column[i]) ? String(column[i]) : '')).join(','));
  return lines.join('\r\n') + '\r\n';
}
