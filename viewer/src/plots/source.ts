// SPDX-License-Identifier: Apache-2.0
// Where plots get their series from: the server for recordings, our own memory of what was seen in live mode.
import type { Client } from '../protocol/client';
import type { Frame } from '../protocol/frame';
import type { Series } from '../protocol/mesh';
import type { LiveStatus } from '../protocol/model';

export interface SeriesSource {
  series(name: string, range?: [number, number], points?: number): Promise<Series>;
}

export function serverSource(client: Client): SeriesSource {
  return { series: (name, range, points) => client.series(name, range, points) };
}

const KEPT = 6000;  // samples per quantity: five minutes at 20 per second

class Track {
  private t = new Float64Array(KEPT);
  private y = new Float64Array(KEPT);
  private n = 0;
  add(t: number, y: number): void {
    if (this.n > 0 && t <= this.t[this.n - 1]) return;
    if (this.n === KEPT) {  // the older half goes, one sample in two stays of it
      for (let i = 0; i < KEPT / 2; i++) {
        this.t[i] = this.t[2 * i];
        this.y[i] = this.y[2 * i];
      }
      this.n = KEPT / 2;
    }
    this.t[this.n] = t;
    this.y[this.n++] = y;
  }
  get(range?: [number, number]): Series {
    let [from, to] = [0, this.n];
    if (range) {
      while (from < to && this.t[from] < range[0]) from++;
      while (to > from && this.t[to - 1] > range[1]) to--;
    }
    return { t: this.t.slice(from, to), y: this.y.slice(from, to) };
  }
}

/// Remembers statuses always, and of bodies, joints and coordinates what was asked for, from then on.
export class LiveHistory implements SeriesSource {
  private tracks = new Map<string, Track>();
  private watched = new Map<string, (frame: Frame) => number>();
  private last = -Infinity;

  clear(): void {
    this.tracks.clear();
    this.last = -Infinity;
  }

  addStatus(s: LiveStatus): void {
    if (s.time < this.last) this.clear();  // back at the start
    this.last = s.time;
    for (const key of ['residual', 'penetration', 'iterations', 'contacts'] as const) this.add(`certificate.${key}`, s.time, s[key]);
    this.add('certificate.seconds_total', s.time, s.seconds_per_step);
    for (const [key, value] of Object.entries(s.energy ?? {})) this.add(`energy.${key}`, s.time, value);
    for (const [key, value] of Object.entries(s.work ?? {})) this.add(`work.${key}`, s.time, value);
  }

  addFrame(frame: Frame): void {
    for (const [name, read] of this.watched) this.add(name, frame.time, read(frame));
  }

  async series(name: string, range?: [number, number]): Promise<Series> {
    if (!this.tracks.has(name)) {
      const read = reader(name);
      if (read) this.watched.set(name, read);
      this.tracks.set(name, new Track());
    }
    return this.tracks.get(name)!.get(range);
  }

  private add(name: string, t: number, y: number): void {
    let track = this.tracks.get(name);
    if (!track) this.tracks.set(name, (track = new Track()));
    track.add(t, y);
  }
}

function reader(name: string): ((frame: Frame) => number) | null {
  const parts = name.split('.');
  const k = Number(parts[1]);
  if (parts[0] === 'body') {
    if (parts[2] === 'speed') return (f) => Math.hypot(f.f32[f.velocity + 3 * k], f.f32[f.velocity + 3 * k + 1], f.f32[f.velocity + 3 * k + 2]);
    const start = (f: Frame) => (parts[2] === 'position' ? f.position : parts[2] === 'velocity' ? f.velocity : f.angularVelocity) + 3 * k;
    return (f) => f.f32[start(f) + 'xyz'.indexOf(parts[3])];
  }
  if (parts[0] === 'pull') return (f) => (f.pull ? Math.hypot(...f.pull.force) : 0);
  if (parts[0] === 'coordinate') return (f) => f.f32[f.coordinate + k];
  if (parts[0] === 'joint') {
    const start = (f: Frame) => (parts[2] === 'force' ? f.jointForce : f.jointTorque) + 3 * k;
    return (f) => Math.hypot(f.f32[start(f)], f.f32[start(f) + 1], f.f32[start(f) + 2]);
  }
  if (parts[0] === 'contact') {
    const [a, b] = [Number(parts[1]), Number(parts[2])];
    return (f) => {
      let sum = 0;
      for (let c = 0; c < f.nc; c++) {
        const [x, y] = [f.i32[f.bodies + 2 * c], f.i32[f.bodies + 2 * c + 1]];
        if ((x !== a || y !== b) && (x !== b || y !== a)) continue;
        for (let i = 0; i < 3; i++) sum += f.f32[f.normal + 3 * c + i] * f.f32[f.force + 3 * c + i];
      }
      return sum;
    };
  }
  return null;
}
