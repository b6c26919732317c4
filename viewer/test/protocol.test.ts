// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { decodeFrames, frameBytes, FrameError, holds } from '../src/protocol/frame';
import { decodeMesh, decodeSeries, decodeTimes, measureMesh } from '../src/protocol/mesh';
import { checkModel } from '../src/protocol/model';
import { join, testModel, writeFrame } from './frames';

const full = {
  time: 1.25, index: 7, flags: 3,
  position: [[1, 2, 3], [4, 5, 6]], orientation: [[1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]], velocity: [[7, 8, 9], [10, 11, 12]], angularVelocity: [[13, 14, 15], [16, 17, 18]],
  deformed: [{ body: 1, matrix: [1, 2, 3, 4, 5, 6, 7, 8, 9] }], joints: [{ force: [21, 22, 23], torque: [24, 25, 26] }], coordinates: [31, 32],
  contacts: [{ bodies: [1, -1] as [number, number], point: [41, 42, 43], normal: [0, 0, 1], force: [44, 45, 46], gap: -0.5, friction: 0.25, area: 2, state: 2 },
    { bodies: [0, 1] as [number, number], point: [51, 52, 53], normal: [1, 0, 0], force: [54, 55, 56], gap: 0.5, friction: 0, area: 0, state: 1 },
    { bodies: [0, -1] as [number, number], point: [61, 62, 63], normal: [0, 1, 0], force: [64, 65, 66], state: 0 }],
};

describe('frames', () => {
  it('has every number at the place the protocol gives it', () => {
    const [f] = decodeFrames(join(writeFrame(full)));
    const row = (at: number, n: number) => Array.from(f.f32.subarray(at, at + n));
    expect([f.time, f.index, f.nb, f.nd, f.nc, f.nj, f.ncoord, f.flags]).toEqual([1.25, 7, 2, 1, 3, 1, 2, 3]);
    expect(row(f.position, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(row(f.orientation + 4, 4)).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(row(f.velocity, 6)).toEqual([7, 8, 9, 10, 11, 12]);
    expect(row(f.angularVelocity, 6)).toEqual([13, 14, 15, 16, 17, 18]);
    expect(f.u32[f.deformedBody]).toBe(1);
    expect(row(f.deformation, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(row(f.jointForce, 3).concat(row(f.jointTorque, 3))).toEqual([21, 22, 23, 24, 25, 26]);
    expect(row(f.coordinate, 2)).toEqual([31, 32]);
    expect(Array.from(f.i32.subarray(f.bodies, f.bodies + 6))).toEqual([1, -1, 0, 1, 0, -1]);
    expect(row(f.point + 3, 3)).toEqual([51, 52, 53]);
    expect(row(f.normal, 3)).toEqual([0, 0, 1]);
    expect(row(f.force + 6, 3)).toEqual([64, 65, 66]);
    expect(row(f.gap, 3)).toEqual([-0.5, 0.5, 0]);
    expect(row(f.friction, 3)).toEqual([0.25, 0, 0]);
    expect(row(f.area, 3)).toEqual([2, 0, 0]);
    expect(Array.from(f.u8.subarray(f.state, f.state + 3))).toEqual([2, 1, 0]);
  });

  it('marks joints that broke, behind the pull', () => {
    const pull = { body: 1, point: [71, 72, 73], target: [74, 75, 76], force: [77, 78, 79] };
    for (const more of [{}, { pull }]) {
      const flags = 'pull' in more ? 13 : 9;
      const [f, next] = decodeFrames(join(writeFrame({ ...full, ...more, flags, broken: [1] }), writeFrame(full)));
      expect(f.flags & 8).toBe(8);
      expect(holds(f, 0)).toBe(false);
      expect(holds(next, 0)).toBe(true);
    }
  });

  it('has a pull after the contacts where the flag says so', () => {
    const pull = { body: 1, point: [71, 72, 73], target: [74, 75, 76], force: [77, 78, 79] };
    for (const contacts of [full.contacts, full.contacts.slice(0, 1), []]) {
      const [f, next] = decodeFrames(join(writeFrame({ ...full, contacts, flags: 5, pull }), writeFrame(full)));
      expect(f.pull).toEqual(pull);
      expect(f.nc).toBe(contacts.length);
      expect(next.pull).toBeNull();
      expect(next.index).toBe(7);
    }
    expect(() => decodeFrames(join(writeFrame({ ...full, flags: 5, pull: { ...pull, body: 2 } })))).toThrow(/2 bodies has a pull at body 2/);
    expect(() => decodeFrames(join(writeFrame({ ...full, flags: 7 })))).toThrow(FrameError);  // promised, and not there
  });

  it('decodes several frames of different sizes, without copying', () => {
    const buffer = join(writeFrame(full), writeFrame({ time: 2, index: 8, position: [[1, 1, 1], [2, 2, 2]], contacts: [full.contacts[0]] }), writeFrame(full));
    const frames = decodeFrames(buffer);
    expect(frames.map((f) => [f.index, f.nc])).toEqual([[7, 3], [8, 1], [7, 3]]);
    for (const f of frames) expect(f.f32.buffer).toBe(buffer);
    expect(frames[1].u8[frames[1].state]).toBe(2);
    expect(frames[2].f32[frames[2].force]).toBe(44);
  });

  it('knows the size of a frame', () => {
    expect(frameBytes(2, 1, 3, 1, 2)).toBe(writeFrame(full).length);
    for (let nc = 0; nc < 9; nc++) {
      const f = writeFrame({ position: [[0, 0, 0]], contacts: Array.from({ length: nc }, () => full.contacts[0]) });
      expect(frameBytes(1, 0, nc, 0, 0)).toBe(f.length);
      expect(f.length % 8).toBe(0);
    }
  });

  it('says what is wrong with a frame that is cut off, foreign or inconsistent', () => {
    const good = writeFrame(full);
    expect(() => decodeFrames(join(good.slice(0, good.length - 8)))).toThrow(/cut off: it has \d+ bytes/);
    expect(() => decodeFrames(join(good, good.slice(0, 40)))).toThrow(/40 bytes are left/);
    const foreign = good.slice();
    foreign[0] = 0;
    expect(() => decodeFrames(join(foreign))).toThrow(FrameError);
    const wrong = good.slice();
    wrong[20] = 3;  // one body more than there is room for
    expect(() => decodeFrames(join(wrong))).toThrow(/are right/);
    expect(decodeFrames(new ArrayBuffer(0))).toEqual([]);
  });

  it('does not loop on a frame that claims no length', () => {
    const bad = writeFrame(full);
    new DataView(bad.buffer).setUint32(4, 0, true);
    expect(() => decodeFrames(join(bad))).toThrow(FrameError);
  });
});

describe('tables and meshes', () => {
  it('reads times and series', () => {
    const times = new ArrayBuffer(8 + 24);
    new Uint32Array(times, 0, 2).set([3, 0]);
    new Float64Array(times, 8, 3).set([0, 0.5, 1.5]);
    expect(decodeTimes(times).complete).toBe(false);
    expect(Array.from(decodeTimes(times).times)).toEqual([0, 0.5, 1.5]);
    const series = new ArrayBuffer(8 + 32);
    new Uint32Array(series, 0, 1)[0] = 2;
    new Float64Array(series, 8, 4).set([0, 1, 10, 20]);
    expect(Array.from(decodeSeries(series).y)).toEqual([10, 20]);
    expect(() => decodeSeries(series.slice(0, 30))).toThrow(/are right/);
  });

  it('reads a mesh and measures it: a tetrahedron has volume 1/6', () => {
    const buffer = new ArrayBuffer(8 + 24 * 4 + 12 * 4);
    new Uint32Array(buffer, 0, 2).set([4, 4]);
    new Float32Array(buffer, 8, 12).set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    new Uint32Array(buffer, 8 + 96, 12).set([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    const mesh = decodeMesh(buffer);
    expect(measureMesh(mesh).volume).toBeCloseTo(1 / 6, 12);
    expect(measureMesh(mesh).radius).toBe(1);
    new Uint32Array(buffer, 8 + 96, 1)[0] = 4;
    expect(() => decodeMesh(buffer)).toThrow(/names vertex 4/);
    expect(() => decodeMesh(buffer.slice(0, 100))).toThrow(/are right/);
  });

  it('refuses a model of another protocol or without bodies', () => {
    expect(() => checkModel({ ...testModel(['rigid']), protocol: 2 })).toThrow(/protocol 2/);
    expect(() => checkModel({})).toThrow(/missing/);
    expect(() => checkModel({ ...testModel(['rigid']), bodies: [{ name: 'a', kind: 'rigid', material: '', mass: 1, shape: 3, deforms: false }] })).toThrow(/'a' has shape 3/);
  });
});
