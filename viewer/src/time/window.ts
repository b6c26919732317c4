// SPDX-License-Identifier: Apache-2.0
// The latest frames of a live run, within a bound of bytes: what a paused run can be looked back through.
import type { Frame } from '../protocol/frame';
import { nearestIndex } from './clock';

export class FrameWindow {
  private frames: Frame[] = [];
  private first = 0;  // those before it have been given up
  bytes = 0;

  constructor(private readonly mostBytes = 128 << 20) {}

  get length(): number {
    return this.frames.length - this.first;
  }
  get oldest(): Frame | null {
    return this.frames[this.first] ?? null;
  }
  get newest(): Frame | null {
    return this.length ? this.frames[this.frames.length - 1] : null;
  }

  /// A frame of the same moment takes the place of the one before; time that goes back is another run.
  add(frame: Frame): void {
    const last = this.newest;
    if (last && frame.time < last.time) this.clear();
    else if (last && frame.time === last.time) this.bytes -= this.frames.pop()!.bytes;
    this.frames.push(frame);
    this.bytes += frame.bytes;
    while (this.bytes > this.mostBytes && this.length > 1) this.bytes -= this.frames[this.first++].bytes;
    if (this.first > 1024 || this.first > this.frames.length / 2) {  // let go of what was given up
      this.frames = this.frames.slice(this.first);
      this.first = 0;
    }
  }
  clear(): void {
    this.frames = [];
    this.first = 0;
    this.bytes = 0;
  }

  /// The kept frame nearest to a time.
  nearest(time: number): Frame | null {
    const kept = this.frames.slice(this.first);
    return kept.length ? kept[nearestIndex(kept.map((f) => f.time), time)] : null;
  }
  /// So many frames after a kept one (before: negative), at most the ends; the newest for one that is not kept any more.
  beside(frame: Frame, places: number): Frame | null {
    const at = this.frames.lastIndexOf(frame);
    if (at < this.first) return this.length ? (places < 0 ? this.oldest : this.newest) : null;
    return this.frames[Math.min(this.frames.length - 1, Math.max(this.first, at + places))];
  }
}
