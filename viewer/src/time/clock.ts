// SPDX-License-Identifier: Apache-2.0
// Where in a recording we are: play, pause, step, speed, loop. Knows times only, never frames.

/// Index of the last entry <= t (0 when t is before the first). Times rise, but not evenly.
export function indexAt(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

export function nearestIndex(times: ArrayLike<number>, t: number): number {
  const i = indexAt(times, t);
  return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Clock {
  times: Float64Array = new Float64Array(0);
  time = 0;
  playing = false;
  speed = 1;
  loop = true;
  /// A recording still being written: at its end the clock waits for more instead of stopping.
  growing = false;

  get start(): number {
    return this.times.length ? this.times[0] : 0;
  }
  get end(): number {
    return this.times.length ? this.times[this.times.length - 1] : 0;
  }
  get frame(): number {
    return indexAt(this.times, this.time);
  }

  /// Moves on by real seconds; true when the time changed.
  advance(seconds: number): boolean {
    if (!this.playing || this.times.length < 2) return false;
    const before = this.time;
    let t = this.time + seconds * this.speed;
    if (t >= this.end) {
      if (this.growing) t = this.end;
      else if (this.loop) t = this.start + ((t - this.start) % (this.end - this.start));
      else {
        t = this.end;
        this.playing = false;
      }
    }
    this.time = t;
    return t !== before;
  }

  /// Playing from the end begins again.
  play(): void {
    if (!this.growing && this.time >= this.end) this.time = this.start;
    this.playing = this.times.length > 1;
  }
  pause(): void {
    this.playing = false;
  }
  seek(t: number): void {
    this.time = Math.min(this.end, Math.max(this.start, t));
  }
  seekFrame(index: number): void {
    if (!this.times.length) return;
    this.time = this.times[Math.min(this.times.length - 1, Math.max(0, index))];
  }
  /// Whole frames forwards or backwards; pauses. From between two frames, a step back goes to the frame begun.
  step(frames: number): void {
    this.pause();
    const between = this.times.length > 0 && this.time > this.times[this.frame];
    this.seekFrame(this.frame + frames + (between && frames < 0 ? 1 : 0));
  }
  faster(places: number): void {
    let at = SPEEDS.findIndex((s) => s >= this.speed * 0.999);
    if (at < 0) at = SPEEDS.length - 1;
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + places))];
  }
}
