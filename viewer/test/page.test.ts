// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { align, mergeTimes, sample, stackEnergies, toCsv } from '../src/plots/data';
import { offered, quantity } from '../src/plots/quantities';
import { LiveHistory } from '../src/plots/source';
import { decodeFrames } from '../src/protocol/frame';
import type { LiveStatus } from '../src/protocol/model';
import { unitForm } from '../src/scene/geometry';
import { niceCell } from '../src/scene/ground';
import { formatState, parseState } from '../src/state';
import { searchItems } from '../src/ui/tree';
import { join, testModel, writeFrame } from './frames';

const series = (t: number[], y: number[]) => ({ t: Float64Array.from(t), y: Float64Array.from(y) });

describe('plot data', () => {
  it('interpolates between samples and holds the ends', () => {
    const s = series([0, 1, 3], [0, 10, 30]);
    expect([-1, 0.5, 1, 2, 9].map((t) => sample(s, t))).toEqual([0, 5, 10, 20, 30]);
    expect(sample(series([], []), 0)).toBeNaN();
    expect(sample(series([1, 1], [2, 5]), 1)).toBe(2);  // two values at one time: min and max of a bucket
  });
  it('brings series with different times together', () => {
    const list = [series([0, 2], [0, 2]), series([0, 1, 2], [5, 6, 7])];
    expect(Array.from(mergeTimes(list))).toEqual([0, 1, 2]);
    expect(align(list).columns.map((c) => Array.from(c))).toEqual([[0, 1, 2], [5, 6, 7]]);
  });
  it('stacks a falling ball with friction so that the top is what was supplied', () => {
    const t = [0, 1, 2];
    const zero = series(t, [0, 0, 0]);
    const stack = stackEnergies([series(t, [0, 4, 5]), series(t, [-10, -14, -18]), zero], [zero, series(t, [0, -1, -4]), zero, zero], [series(t, [0, 1, 1]), zero]);
    expect(Array.from(stack.parts[1])).toEqual([8, 4, 0]);  // gravity above its lowest
    expect(Array.from(stack.parts[4])).toEqual([0, 1, 4]);  // lost to friction
    expect(Array.from(stack.tops.at(-1)!)).toEqual([8, 9, 9]);
    expect(Array.from(stack.supplied)).toEqual([8, 9, 9]);
  });
  it('writes CSV that a spreadsheet reads: quotes, full precision, nothing for no number', () => {
    expect(toCsv(['time [s]', 'a, "b"'], [[0, 0.1], [1 / 3, NaN]])).toBe('time [s],"a, ""b"""\r\n0,0.3333333333333333\r\n0.1,\r\n');
    expect(toCsv([], [])).toBe('\r\n');
  });
});

describe('quantities', () => {
  const model = testModel(['fixed', 'rigid'], { joints: [{ name: 'hinge', type: 'revolute', body_a: 1, body_b: -1, anchor_a: [0, 0, 0], anchor_b: [0, 0, 0] }], coordinates: [{ joint: 0, name: 'angle', unit: 'rad' }], certificate_fields: [{ name: 'cone', unit: '', help: '' }] });
  it('knows what exists and nothing else', () => {
    expect(quantity(model, 'body:1:position')!.lines.map((l) => l.series)).toEqual(['body.1.position.x', 'body.1.position.y', 'body.1.position.z']);
    expect(quantity(model, 'pair:1:0')!.lines[0].series).toBe('contact.1.0.normal_force');
    expect(quantity(model, 'coordinate:0')!.unit).toBe('rad');
    for (const id of ['body:2:position', 'body:1:colour', 'joint:1:reaction', 'coordinate:9', 'nonsense', '', 'certificate:none']) expect(quantity(model, id)).toBeNull();
  });
  it('offers only what can be plotted', () => {
    for (const { ids } of offered(model, { kind: 'body', index: 1 }, [1, 0])) for (const id of ids) expect(quantity(model, id), id).not.toBeNull();
    expect(quantity(model, 'rtf')!.lines[0].transform!(0.005)).toBeCloseTo(2, 12);  // step 0.01 s
  });
});

describe('live history', () => {
  const status = (time: number, residual: number): LiveStatus => ({ time, step: 0, paused: false, seconds_per_step: 1e-3, budget: 0.01, real_time_factor: 1, residual, penetration: 0, contacts: 0, iterations: 1, energy: { kinetic: time }, failed: null });
  it('remembers statuses, and what is watched of frames from then on; begins anew after a reset', async () => {
    const history = new LiveHistory();
    history.addStatus(status(0, 1));
    history.addStatus(status(1, 2));
    expect(Array.from((await history.series('certificate.residual')).y)).toEqual([1, 2]);
    expect(Array.from((await history.series('energy.kinetic', [0.5, 2])).t)).toEqual([1]);
    await history.series('body.0.speed');
    history.addFrame(decodeFrames(join(writeFrame({ time: 1, position: [[0, 0, 0]], velocity: [[3, 4, 0]] })))[0]);
    expect(Array.from((await history.series('body.0.speed')).y)).toEqual([5]);
    history.addStatus(status(0.5, 9));
    expect(Array.from((await history.series('certificate.residual')).y)).toEqual([9]);
  });
  it('keeps a bounded number of samples', async () => {
    const history = new LiveHistory();
    for (let k = 0; k < 20000; k++) history.addStatus(status(k, k));
    const { t } = await history.series('certificate.residual');
    expect(t.length).toBeLessThanOrEqual(6000);
    for (let k = 1; k < t.length; k++) expect(t[k]).toBeGreaterThan(t[k - 1]);
    expect(t[t.length - 1]).toBe(19999);
  });
});

describe('address', () => {
  it('is read and written back', () => {
    const { state, problems } = parseState('?time=1.5&camera=1,2,3,0,0,0&layers=arrows,chains&color=speed&opacity=0.3&select=body:4&projection=orthographic&ui=0');
    expect(problems).toEqual([]);
    expect([state.time, state.colour, state.opacity, state.ui, state.legend, state.orthographic]).toEqual([1.5, 'speed', 0.3, false, false, true]);
    expect([...state.layers].sort()).toEqual(['arrows', 'chains', 'grid']);
    expect(state.select).toEqual({ kind: 'body', index: 4 });
    const again = parseState(`?${formatState(state)}`).state;
    expect(again.layers).toEqual(state.layers);
    expect([again.time, again.camera, again.colour, again.select]).toEqual([1.5, '1,2,3,0,0,0', 'speed', state.select]);
  });
  it('says what it does not understand and goes on', () => {
    const { state, problems } = parseState('?time=soon&color=pink&layers=arrows,clouds&opacity=7&select=moon');
    expect(problems.length).toBe(5);
    expect(problems.join()).toContain('clouds');
    expect([state.time, state.colour, state.opacity, state.select]).toEqual([null, 'name', 1, null]);
  });
});

describe('odds and ends', () => {
  it('scales unit shapes: half extents and radii from the recording', () => {
    expect(unitForm({ kind: 'box', numbers: [1, 2, 3], bounds: null, triangles: 12 })).toMatchObject({ scale: [1, 2, 3], volume: 48 });
    expect(unitForm({ kind: 'ellipsoid', numbers: [1, 2, 3], bounds: null, triangles: 80 })!.volume).toBeCloseTo(8 * Math.PI, 12);
    expect(unitForm({ kind: 'cone', numbers: [1, 2], bounds: null, triangles: 80 })).toBeNull();
  });
  it('has grid cells of round size', () => {
    expect([0.05, 1, 6, 30, 700].map(niceCell)).toEqual([0.01, 0.2, 1, 5, 200]);
  });
  it('searches by all words, best first', () => {
    const items = ['brick 1', 'wall brick', 'ball', 'brick'].map((name, index) => ({ kind: 'body' as const, index, name }));
    expect(searchItems(items, 'Brick').map((i) => i.name)).toEqual(['brick', 'brick 1', 'wall brick']);
    expect(searchItems(items, 'br wa').map((i) => i.name)).toEqual(['wall brick']);
    expect(searchItems(items, 'zzz')).toEqual([]);
  });
});
