// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { decodeFrames, type Frame } from '../src/protocol/frame';
import { FrameCache } from '../src/time/cache';
import { Clock, indexAt, nearestIndex } from '../src/time/clock';
import { eventDensity, findEvent } from '../src/time/events';
import { FrameWindow } from '../src/time/window';
import { join, writeFrame } from './frames';

describe('clock', () => {
  const clock = () => {
    const c = new Clock();
    c.times = Float64Array.from([0, 0.1, 0.25, 1]);  // uneven, as with a last frame off the interval
    return c;
  };
  it('finds frames in uneven times', () => {
    const { times } = clock();
    expect([-1, 0, 0.09, 0.1, 0.2, 0.999, 1, 5].map((t) => indexAt(times, t))).toEqual([0, 0, 0, 1, 1, 2, 3, 3]);
    expect([0.04, 0.06, 0.7].map((t) => nearestIndex(times, t))).toEqual([0, 1, 3]);
  });
  it('plays at its speed, loops, stops at the end, waits where the recording grows', () => {
    const c = clock();
    c.play();
    c.speed = 0.5;
    c.advance(0.4);
    expect(c.time).toBeCloseTo(0.2, 12);
    c.advance(2);
    expect(c.time).toBeCloseTo(0.2, 12);  // 1.2 is 0.2 in the second round
    c.loop = false;
    c.advance(10);
    expect([c.time, c.playing]).toEqual([1, false]);
    c.play();
    expect(c.time).toBe(0);  // from the end: again from the start
    c.growing = true;
    c.advance(10);
    expect([c.time, c.playing]).toEqual([1, true]);
  });
  it('steps by frames and does not leave the recording', () => {
    const c = clock();
    c.seek(0.2);
    c.step(1);
    expect(c.time).toBe(0.25);
    c.step(-1);
    expect(c.time).toBe(0.1);
    c.seek(0.2);
    c.step(-1);
    expect(c.time).toBe(0.1);  // between two frames, back is the one begun
    c.step(-50);
    expect(c.time).toBe(0);
    c.step(50);
    expect(c.time).toBe(1);
    c.faster(1);
    expect(c.speed).toBe(2);
    c.faster(-100);
    expect(c.speed).toBe(0.01);
  });
  it('does nothing without frames', () => {
    const c = new Clock();
    c.play();
    expect(c.advance(1)).toBe(false);
    c.step(1);
    expect(c.time).toBe(0);
  });
});

describe('events', () => {
  const events = [{ time: 0.1, kind: 'impact', text: 'a' }, { time: 0.5, kind: 'stick-slip', text: 'b' }, { time: 0.5, kind: 'alarm', text: 'c' }, { time: 0.9, kind: 'impact', text: 'd' }];
  it('finds the next and the previous one, by kind', () => {
    expect(findEvent(events, 0, 1)?.text).toBe('a');
    expect(findEvent(events, 0.1, 1)?.text).toBe('b');
    expect(findEvent(events, 0.5, -1)?.text).toBe('a');
    expect(findEvent(events, 0.6, -1)?.text).toBe('c');
    expect(findEvent(events, 0.1, 1, new Set(['impact']))?.text).toBe('d');
    expect(findEvent(events, 0.9, 1)).toBeNull();
    expect(findEvent(events, 0.1, -1)).toBeNull();
    expect(findEvent([], 0, 1)).toBeNull();
  });
  it('always leads away from where we are', () => {
    expect(findEvent(events, 0.5004, -1, null, 1e-3)?.text).toBe('a');
    expect(findEvent(events, 0.4996, 1, null, 1e-3)?.text).toBe('d');
  });
  it('counts them per column', () => {
    const d = eventDensity(events, 0, 1, 10);
    expect(Array.from(d.get('impact')!)).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(d.get('alarm')![5]).toBe(1);
  });
});

describe('cache', () => {
  const size = writeFrame({ position: [[0, 0, 0]] }).length;
  const make = (index: number): Frame => decodeFrames(join(writeFrame({ index, position: [[index, 0, 0]] })))[0];
  const source = (most = 256) => {
    const log: [number, number][] = [];
    const fetch = async (from: number, count: number) => {
      log.push([from, count]);
      return Array.from({ length: Math.min(count, most) }, (_, k) => make(from + k));
    };
    return { log, fetch };
  };

  it('asks once for what it has not, and counts its bytes', async () => {
    const { log, fetch } = source();
    const cache = new FrameCache(fetch, 100, { blockBytes: 4 * size });
    const [a, b] = await Promise.all([cache.get(5), cache.get(5)]);
    expect(a).toBe(b);
    expect(a.index).toBe(5);
    expect(log.length).toBe(1);
    await cache.get(log[0][0]);
    expect(log.length).toBe(1);
    expect(cache.bytes).toBe(log[0][1] * size);
  });

  it('stays within its bound and drops what was not used for longest', async () => {
    const { fetch } = source(4);
    const cache = new FrameCache(fetch, 1000, { bytes: 20 * size, blockBytes: 4 * size });
    await cache.get(0);
    for (let i = 4; i < 200; i++) {
      await cache.get(i);
      cache.peek(0);  // used again and again: stays
      expect(cache.bytes).toBeLessThanOrEqual(20 * size);
    }
    expect(cache.peek(0)?.index).toBe(0);
    expect(cache.peek(10)).toBeNull();
  });

  it('fetches ahead in the direction of playing, at most two requests at a time', async () => {
    const { log, fetch } = source();
    const cache = new FrameCache(fetch, 1000, { blockBytes: 10 * size });
    await cache.get(500);
    log.length = 0;
    cache.want(500, -1);
    expect(log.length).toBe(2);
    expect(log[0][0] + log[0][1]).toBe(500);  // the block that ends just before
    expect(log[1][0] + log[1][1]).toBe(log[0][0]);
  });

  it('takes fewer frames than it asked for, and asks for the rest later', async () => {
    const { log, fetch } = source(3);
    const cache = new FrameCache(fetch, 100, { blockBytes: 10 * size });
    expect((await cache.get(0)).index).toBe(0);
    expect((await cache.get(7)).index).toBe(7);
    expect(log.length).toBeGreaterThan(1);
  });

  it('reports failures, tries again later, and knows the end', async () => {
    let broken = true;
    const cache = new FrameCache(async (from) => {
      if (broken) throw new Error('gone');
      return [make(from)];
    }, 10, { retryAfter: 0 });
    await expect(cache.get(3)).rejects.toThrow('gone');
    expect(cache.error(3)?.message).toBe('gone');
    broken = false;
    await new Promise((done) => setTimeout(done, 2));
    expect((await cache.get(3)).index).toBe(3);
    expect(cache.error(3)).toBeNull();
    await expect(cache.get(10)).rejects.toThrow(/no frame 10; the recording has 10/);
    cache.total = 11;  // it grew
    expect((await cache.get(10)).index).toBe(10);
  });

  it('forgets answers that come after it was cleared', async () => {
    let finish: (frames: Frame[]) => void = () => {};
    const cache = new FrameCache(() => new Promise((done) => (finish = done)), 10);
    cache.want(0);
    cache.clear();
    finish([make(0)]);
    await new Promise((done) => setTimeout(done, 1));
    expect(cache.peek(0)).toBeNull();
    expect(cache.bytes).toBe(0);
  });
});

describe('window of a live run', () => {
  const make = (time: number, index = Math.round(100 * time)): Frame => decodeFrames(join(writeFrame({ time, index, position: [[time, 0, 0]] })))[0];
  const size = make(0).bytes;

  it('keeps the latest frames within its bound', () => {
    const w = new FrameWindow(10 * size);
    for (let i = 0; i < 5000; i++) {
      w.add(make(i));
      expect(w.bytes).toBeLessThanOrEqual(10 * size);
    }
    expect([w.length, w.oldest?.time, w.newest?.time]).toEqual([10, 4990, 4999]);
    expect(w.bytes).toBe(10 * size);
    expect(w.nearest(0)?.time).toBe(4990);
    expect(w.nearest(4994.4)?.time).toBe(4994);
    expect(w.nearest(1e9)?.time).toBe(4999);
  });
  it('keeps one frame however large it is', () => {
    const w = new FrameWindow(1);
    w.add(make(1));
    w.add(make(2));
    expect([w.length, w.newest?.time]).toEqual([1, 2]);
  });
  it('replaces the frame of a moment, and begins anew when time goes back', () => {
    const w = new FrameWindow();
    [0, 0.1, 0.2].forEach((t) => w.add(make(t)));
    const again = make(0.2);
    w.add(again);
    expect([w.length, w.bytes]).toEqual([3, 3 * size]);
    expect(w.newest).toBe(again);
    w.add(make(0.05));
    expect([w.length, w.bytes, w.oldest?.time]).toEqual([1, size, 0.05]);
  });
  it('goes from frame to frame and not beyond the ends', () => {
    const w = new FrameWindow();
    const frames = [0, 1, 2, 3].map((t) => make(t));
    frames.forEach((f) => w.add(f));
    expect(w.beside(frames[1], 1)).toBe(frames[2]);
    expect(w.beside(frames[1], -5)).toBe(frames[0]);
    expect(w.beside(frames[1], 50)).toBe(frames[3]);
    expect(w.beside(make(7), -1)).toBe(frames[0]);  // given up meanwhile
    expect(new FrameWindow().beside(frames[0], 1)).toBeNull();
    expect(new FrameWindow().nearest(1)).toBeNull();
  });
});
