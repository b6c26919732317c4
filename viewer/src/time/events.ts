// SPDX-License-Identifier: Apache-2.0
// Finding the next or previous event (impact, stick-slip, separation, switch, alarm) from a moment.
import type { RunEvent } from '../protocol/model';

export const EVENT_KINDS = ['impact', 'stick-slip', 'separation', 'switch', 'alarm'] as const;

/// Events of the wanted kinds (all when none is named), which must be sorted by time; direction +1 or -1.
/// Moments closer than `apart` to the present one do not count, so that a jump always leads away.
export function findEvent(events: RunEvent[], time: number, direction: number, kinds: ReadonlySet<string> | null = null, apart = 1e-9): RunEvent | null {
  const wanted = (event: RunEvent) => !kinds || kinds.size === 0 || kinds.has(event.kind);
  if (direction > 0) {
    for (let i = firstAfter(events, time + apart); i < events.length; i++) if (wanted(events[i])) return events[i];
    return null;
  }
  for (let i = firstAfter(events, time - apart) - 1; i >= 0; i--) {
    if (wanted(events[i]) && events[i].time < time - apart) return events[i];
  }
  return null;
}

/// Index of the first event later than t.
export function firstAfter(events: RunEvent[], t: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].time > t) high = middle;
    else low = middle + 1;
  }
  return low;
}

/// For drawing: how many events of each kind fall into each of n equal parts of [start, end].
export function eventDensity(events: RunEvent[], start: number, end: number, n: number): Map<string, Uint32Array> {
  const result = new Map<string, Uint32Array>();
  const scale = end > start ? n / (end - start) : 0;
  for (const event of events) {
    let row = result.get(event.kind);
    if (!row) result.set(event.kind, (row = new Uint32Array(n)));
    row[Math.min(n - 1, Math.max(0, Math.floor((event.time - start) * scale)))]++;
  }
  return result;
}
