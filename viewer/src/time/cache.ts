// SPDX-License-Identifier: Apache-2.0
// Frames on demand: fetched in blocks, kept within a bound of bytes, the least recently used block goes first.
import type { Frame } from '../protocol/frame';

interface Block {
  first: number;
  frames: Frame[];
  bytes: number;
  used: number;
}

export interface CacheOptions {
  bytes?: number;        ///< how much may be kept
  blockBytes?: number;   ///< how much one request should bring
  maxCount?: number;     ///< the server's limit of frames per request
  retryAfter?: number;   ///< milliseconds before a frame that failed is asked for again
}

export type FetchFrames = (from: number, count: number) => Promise<Frame[]>;

export class FrameCache {
  private blocks = new Map<number, Block>();       // by first frame
  private owner = new Map<number, Block>();        // frame -> block
  private inFlight = new Map<number, { first: number; count: number; done: Promise<void> }>();
  private failed = new Map<number, { error: Error; at: number }>();
  private clock = 0;
  private frameBytes = 0;
  private generation = 0;
  private readonly options: Required<CacheOptions>;
  bytes = 0;
  requests = 0;

  constructor(private readonly fetchFrames: FetchFrames, public total: number, options: CacheOptions = {}) {
    this.options = { bytes: 256 << 20, blockBytes: 4 << 20, maxCount: 256, retryAfter: 1000, ...options };
  }

  /// The frame if it is here; a look counts as use.
  peek(index: number): Frame | null {
    const block = this.owner.get(index);
    if (!block) return null;
    block.used = ++this.clock;
    return block.frames[index - block.first];
  }

  error(index: number): Error | null {
    return this.failed.get(index)?.error ?? null;
  }

  /// The frame, now or when it has come. Throws what the fetch threw.
  async get(index: number): Promise<Frame> {
    for (;;) {
      const frame = this.peek(index);
      if (frame) return frame;
      if (index < 0 || index >= this.total) throw new Error(`there is no frame ${index}; the recording has ${this.total}`);
      this.request(index, 1);
      const flight = this.flightOf(index);
      if (!flight) throw this.failed.get(index)?.error ?? new Error(`frame ${index} did not come`);
      await flight.done;
      const failure = this.failed.get(index);
      if (failure) throw failure.error;
    }
  }

  /// Asks for the frame (if it is not here) and for what comes after it in the direction of playing.
  want(index: number, direction = 1): void {
    if (!this.peek(index)) this.request(index, direction);
    const ahead = this.blockCount() * 2;
    for (let k = 1; k <= ahead && this.inFlight.size < 2; k++) {
      const i = index + direction * k;
      if (i < 0 || i >= this.total) break;
      if (!this.owner.has(i)) this.request(i, direction);
    }
  }

  /// Forgets everything (other contacts wanted, another run).
  clear(): void {
    this.generation++;
    this.blocks.clear();
    this.owner.clear();
    this.inFlight.clear();
    this.failed.clear();
    this.bytes = 0;
  }

  private blockCount(): number {
    const guess = this.frameBytes || this.options.blockBytes / 8;
    const room = Math.max(1, Math.floor(this.options.bytes / 4 / guess));  // one block never fills the cache
    return Math.max(1, Math.min(this.options.maxCount, room, Math.floor(this.options.blockBytes / guess)));
  }

  private flightOf(index: number) {
    for (const flight of this.inFlight.values()) if (index >= flight.first && index < flight.first + flight.count) return flight;
    return null;
  }

  private request(index: number, direction: number): void {
    if (this.flightOf(index)) return;
    const before = this.failed.get(index);
    if (before && performance.now() - before.at < this.options.retryAfter) return;
    // Grow the range from `index` in the direction of playing until something known, the end, or the block is full.
    let [first, last] = [index, index];
    const free = (i: number) => i >= 0 && i < this.total && !this.owner.has(i) && !this.flightOf(i);
    const count = this.blockCount();
    if (direction >= 0) while (last - first + 1 < count && free(last + 1)) last++;
    else while (last - first + 1 < count && free(first - 1)) first--;
    const generation = this.generation;
    this.requests++;
    const done = this.fetchFrames(first, last - first + 1)
      .then((frames) => {
        if (generation !== this.generation) return;
        if (!frames.length) throw new Error(`the server sent nothing for frame ${first}`);
        this.store(first, frames);
      })
      .catch((error: Error) => {
        if (generation === this.generation) for (let i = first; i <= last; i++) this.failed.set(i, { error, at: performance.now() });
      })
      .finally(() => {
        if (generation === this.generation) this.inFlight.delete(first);
      });
    this.inFlight.set(first, { first, count: last - first + 1, done });
  }

  private store(first: number, frames: Frame[]): void {
    const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
    const block = { first, frames, bytes, used: ++this.clock };
    this.blocks.set(first, block);
    frames.forEach((_, k) => {
      this.owner.set(first + k, block);
      this.failed.delete(first + k);
    });
    this.bytes += bytes;
    this.frameBytes = bytes / frames.length;
    this.evict(block);
  }

  private evict(keep: Block): void {
    while (this.bytes > this.options.bytes && this.blocks.size > 1) {
      let oldest: Block | null = null;
      for (const block of this.blocks.values()) if (block !== keep && (!oldest || block.used < oldest.used)) oldest = block;
      if (!oldest) return;
      this.blocks.delete(oldest.first);
      oldest.frames.forEach((_, k) => this.owner.delete(oldest.first + k));
      this.bytes -= oldest.bytes;
    }
  }
}
