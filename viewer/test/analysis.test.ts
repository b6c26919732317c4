// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { BodyColours, stem } from '../src/analysis/colouring';
import { hexToLinear, linearTable, mapColour, toLinear } from '../src/analysis/colormap';
import { contactState, normalVelocity, SEPARATING, shownSide, SLIP, upperValue } from '../src/analysis/contacts';
import { detailOf } from '../src/analysis/details';
import { Islands } from '../src/analysis/islands';
import { contactStress, equivalentStrain, vonMises } from '../src/analysis/strain';
import { findInterfaces, thrustLine } from '../src/analysis/thrust';
import { compact, niceCeiling, plain, tickTexts, timeText, withUnit } from '../src/analysis/units';
import { decodeFrames } from '../src/protocol/frame';
import { join, testModel, writeFrame, type TestContact, type TestFrame } from './frames';

const frameOf = (f: TestFrame) => decodeFrames(join(writeFrame(f)))[0];
const contact = (a: number, b: number, more: Partial<TestContact> = {}): TestContact => ({ bodies: [a, b], point: [0, 0, 0], normal: [0, 0, 1], force: [0, 0, 1], ...more });
const rest = (n: number) => Array.from({ length: n }, () => [0, 0, 0]);

describe('colour maps', () => {
  it('meets the published ends of viridis and is monotone in lightness', () => {
    // First and last row of the table of van der Walt and Smith: (0.267, 0.005, 0.329) and (0.993, 0.906, 0.144).
    mapColour('viridis', 0).forEach((c, k) => expect(c).toBeCloseTo([0.267, 0.005, 0.329][k], 1));
    mapColour('viridis', 1).forEach((c, k) => expect(c).toBeCloseTo([0.993, 0.906, 0.144][k], 1));
    for (const name of ['viridis', 'inferno'] as const) {
      const light = Array.from({ length: 51 }, (_, k) => mapColour(name, k / 50).map(toLinear)).map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
      for (let k = 1; k < light.length; k++) expect(light[k]).toBeGreaterThan(light[k - 1] - 1e-3);
    }
  });
  it('holds what is outside and what is no number at the border', () => {
    expect(mapColour('viridis', 7)).toEqual(mapColour('viridis', 1));
    expect(mapColour('viridis', NaN)).toEqual(mapColour('viridis', 0));
    expect(linearTable('inferno').every((c) => c >= 0 && c <= 1)).toBe(true);
  });
});

describe('islands', () => {
  it('joins by loaded contacts and joints, not through the ground', () => {
    const model = testModel(['fixed', 'rigid', 'rigid', 'rigid', 'rigid', 'rigid'], { joints: [{ name: 'j', type: 'ball', body_a: 4, body_b: 5, anchor_a: [0, 0, 0], anchor_b: [0, 0, 0] }] });
    const islands = new Islands(model);
    islands.update(frameOf({ position: rest(6), contacts: [contact(1, 0), contact(3, 0), contact(2, 1), contact(4, 3, { force: [0, 0, 0] }), contact(3, -1)] }));
    expect(Array.from(islands.island)).toEqual([-1, 0, 0, 1, 2, 2]);
    expect(islands.count).toBe(3);
  });
  it('agrees with a search in the graph for random contacts', () => {
    const n = 60;
    let seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const model = testModel(Array.from({ length: n }, () => 'rigid'));
    const pairs = Array.from({ length: 45 }, () => [Math.floor(random() * n), Math.floor(random() * n)] as [number, number]);
    const islands = new Islands(model);
    islands.update(frameOf({ position: rest(n), contacts: pairs.map(([a, b]) => contact(a, b)) }));
    const mark = new Array(n).fill(-1);
    let count = 0;
    for (let start = 0; start < n; start++) {
      if (mark[start] >= 0) continue;
      const open = [start];
      for (let k = open.pop(); k !== undefined; k = open.pop()) {
        if (mark[k] >= 0) continue;
        mark[k] = count;
        for (const [a, b] of pairs) if (a === k) open.push(b); else if (b === k) open.push(a);
      }
      count++;
    }
    expect(Array.from(islands.island)).toEqual(mark);
  });
});

describe('contacts', () => {
  it('calls an open contact whose bodies part separating: velocity at the point, spin included', () => {
    const base = { position: [[0, 0, 1], [0, 0, 0]], velocity: [[0, 0, 0], [0, 0, 0]], angularVelocity: [[0, 2, 0], [0, 0, 0]] };
    // A turns about y at 2 rad/s; at r = (-1, 0, -1) from its centre the velocity is w x r = (-2, 0, 2).
    const frame = frameOf({ ...base, contacts: [contact(0, 1, { point: [-1, 0, 0], force: [0, 0, 0], state: 0 }), contact(0, 1, { point: [1, 0, 0], force: [0, 0, 0], state: 0 }), contact(0, 1, { state: 2 })] });
    expect(normalVelocity(frame, 0)).toBeCloseTo(2, 6);
    expect([0, 1, 2].map((c) => contactState(frame, c))).toEqual([SEPARATING, 0, SLIP]);
  });
  it('shows the force on the body that is held up', () => {
    const model = testModel(['fixed', 'rigid', 'rigid']);
    const frame = frameOf({ position: rest(3), contacts: [contact(0, 1, { force: [0, 0, -5] }), contact(1, 0), contact(2, 1), contact(1, 2, { force: [0, 0, -5] }), contact(1, -1)] });
    expect([0, 1, 2, 3, 4].map((c) => shownSide(model, frame, c))).toEqual([-1, 1, 1, -1, 1]);
  });
  it('takes a high value that single peaks do not move', () => {
    const values = Array.from({ length: 100 }, (_, k) => k + 1).concat([1e9]);
    expect(upperValue(values, 101)).toBeLessThan(100);
    expect(upperValue([0, 0, -1], 3)).toBe(0);
  });
});

describe('line of thrust', () => {
  // A block pressed from below at two points and from above at one: resultants at the weighted means.
  const contacts = [contact(1, 0, { point: [0, 0, 0], force: [0, 0, 3] }), contact(1, 0, { point: [1, 0, 0], force: [0, 0, 1] }), contact(1, 2, { point: [0.5, 0, 1], normal: [0, 0, -1], force: [0, 0, -2] })];
  it('finds the centre of pressure and the resultant of each joint, whatever the order of the bodies', () => {
    const pairs = findInterfaces(frameOf({ position: rest(3), contacts }));
    const lower = pairs.find((p) => p.a === 0)!;
    expect(lower.point[0]).toBeCloseTo(0.25, 6);
    expect(lower.force).toEqual([0, 0, -4]);  // on body 0
    expect(pairs.find((p) => p.a === 1)!.force).toEqual([0, 0, -2]);
  });
  it('joins the two faces of a block; three loaded faces make no line; a face with next to no load does not count', () => {
    const model = testModel(['fixed', 'rigid', 'fixed', 'fixed']);
    const [segment] = thrustLine(model, frameOf({ position: rest(4), contacts }));
    expect(segment.body).toBe(1);
    expect([segment.from[0], segment.to[0]].sort()).toEqual([0.25, 0.5]);
    expect(segment.force).toBeCloseTo(3, 6);
    const third = (f: number) => frameOf({ position: rest(4), contacts: [...contacts, contact(1, 3, { normal: [1, 0, 0], force: [f, 0, 0] })] });
    expect(thrustLine(model, third(1))).toEqual([]);
    expect(thrustLine(model, third(0.01)).length).toBe(1);
  });
  it('lies at the known eccentricity in an arch with given resultants', () => {
    // Thickness d, shares 1/2 +- e/d at the two edges: the centre is e off the middle.
    const [d, e] = [0.8, 0.1];
    const edge = (side: number) => contact(1, 0, { point: [side * d / 2, 0, 0], force: [0, 0, 0.5 + (side * e) / d] });
    const [pair] = findInterfaces(frameOf({ position: rest(2), contacts: [edge(-1), edge(1)] }));
    expect(pair.point[0]).toBeCloseTo(e, 6);
  });
});

describe('strain and stress', () => {
  it('is zero for rotations, and the strain in tension without change of volume', () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    expect(equivalentStrain([c, -s, 0, s, c, 0, 0, 0, 1], 0)).toBeCloseTo(0, 7);
    const e = 1e-4;
    expect(equivalentStrain([1 + e, 0, 0, 0, 1 - e / 2, 0, 0, 0, 1 - e / 2], 0) / e).toBeCloseTo(1, 3);
  });
  it('gives p = F/A for a pressed cube and no stress for a free one', () => {
    // Unit cube, 8 N on top and bottom: sigma_zz = -8 Pa, von Mises 8.
    const frame = frameOf({ position: [[0, 0, 0.5], [0, 0, 0]], contacts: [contact(0, 1, { point: [0, 0, 0], force: [0, 0, 8] }), contact(0, 1, { point: [0, 0, 1], normal: [0, 0, -1], force: [0, 0, -8] })] });
    const out = new Float32Array(18);
    contactStress(frame, [1, 0], out);
    expect(out[8]).toBeCloseTo(-8, 6);
    expect(vonMises(out)).toBeCloseTo(8, 6);
    expect(Array.from(out.subarray(9))).toEqual(new Array(9).fill(0));
  });
  it('does not see hydrostatic pressure in von Mises', () => {
    expect(vonMises([-3, 0, 0, 0, -3, 0, 0, 0, -3])).toBe(0);
    expect(vonMises([0, 2, 0, 2, 0, 0, 0, 0, 0])).toBeCloseTo(2 * Math.sqrt(3), 12);
  });
});

describe('colouring', () => {
  it('colours by speed with a legend that reaches above the fastest', () => {
    const model = testModel(['fixed', 'rigid', 'rigid']);
    const colours = new BodyColours(model, [0, 1, 1]);
    colours.choose('speed');
    colours.update(frameOf({ position: rest(3), velocity: [[0, 0, 0], [0, 3, 0], [0, 0, 1.6]] }));
    expect(colours.legend.range).toEqual([0, 5]);
    expect(colours.legend.unit).toBe('m/s');
    const table = linearTable('viridis');
    expect(Array.from(colours.linear.subarray(0, 3))).toEqual(Array.from(Float32Array.from(hexToLinear('#9aa0a6'))));  // fixed: grey
    const at = 3 * Math.floor((255.999 * 3) / 5);
    expect(Array.from(colours.linear.subarray(3, 6))).toEqual(Array.from(table.subarray(at, at + 3)));
  });
  it('measures displacement from the first frame', () => {
    const model = testModel(['rigid']);
    const colours = new BodyColours(model, [1]);
    colours.setStart(frameOf({ position: [[1, 1, 1]] }));
    colours.choose('displacement');
    colours.update(frameOf({ position: [[4, 5, 1]] }));
    expect(colours.legend.range).toEqual([0, 5]);
  });
  it('gives groups of names one entry, and different groups different colours', () => {
    const model = testModel(['fixed', 'rigid', 'rigid', 'rigid']);
    ['ground', 'brick 1', 'brick 2', 'ball'].forEach((name, k) => (model.bodies[k].name = name));
    const { legend } = new BodyColours(model, [0, 1, 1, 1]);
    expect(legend.entries!.map((e) => [e.label, e.count])).toEqual([['brick', 2], ['ground', 1], ['ball', 1]]);
    expect(new Set(legend.entries!.map((e) => e.colour)).size).toBe(3);
    expect(['brick 3 12', 'a_7', 'x', '12', 'Body-3'].map(stem)).toEqual(['brick', 'a', 'x', '12', 'Body']);
  });
});

describe('numbers for people', () => {
  it('writes units with prefixes', () => {
    expect([withUnit(12345, 'N'), withUnit(0.00456, 'm'), withUnit(0, 'J'), withUnit(null, 'kg'), withUnit(2.5, 'kg'), withUnit(3.2e-7, 's')]).toEqual(['12.3 kN', '4.56 mm', '0 J', '–', '2.50 kg', '320 ns']);
    expect(withUnit(999.9, 'N')).toBe('1.00 kN');
    expect(withUnit(-0.25, 'm')).toBe('-250 mm');
  });
  it('keeps digits within bounds', () => {
    expect([plain(0), plain(123.456), plain(1e-9), plain(1.5e7), timeText(1.5, 0.01), timeText(1.5, 1 / 240)]).toEqual(['0', '123.5', '1.000e-9', '1.500e+7', '1.50 s', '1.500 s']);
    expect([compact(1), compact(0.25), compact(1e-9), compact(123456.7), compact(100)]).toEqual(['1', '0.25', '1e-9', '1.23457e+5', '100']);
    expect([0.03, 1, 1.01, 7, 0].map(niceCeiling)).toEqual([0.05, 1, 2, 10, 1]);
  });
});

describe('numbers of a kept frame', () => {
  const frame = frameOf({ time: 2, position: [[1, 2, 3], [4, 5, 6]], velocity: [[0, 0, 0], [7, 8, 9]], orientation: [[1, 0, 0, 0], [0, 1, 0, 0]], deformed: [{ body: 1, matrix: [1, 2, 3, 4, 5, 6, 7, 8, 9] }],
    joints: [{ force: [1, 2, 3], torque: [4, 5, 6] }], coordinates: [0.5, 0.25],
    contacts: [contact(1, 0, { force: [1, 2, 3], state: 2, friction: 0.5, area: 0.25, gap: -0.125 }), contact(0, 1, { force: [0, 0, 1] })], pull: { body: 1, point: [1, 0, 0], target: [0, 9, 0], force: [0, 5, 0] } });
  const model = testModel(['fixed', 'affine'], { joints: [{ name: 'h', type: 'revolute', body_a: 1, body_b: -1, anchor_a: [0, 0, 0], anchor_b: [0, 0, 0] }], coordinates: [{ joint: 1, name: 'other', unit: 'm' }, { joint: 0, name: 'angle', unit: 'rad' }] });
  it('are those the server would give', () => {
    expect(detailOf(model, frame, 'body', 1)).toMatchObject({ time: 2, position: [4, 5, 6], velocity: [7, 8, 9], orientation: [0, 1, 0, 0], deformation: [1, 2, 3, 4, 5, 6, 7, 8, 9], contact_force: [1, 2, 2], contacts: 2, kinetic_energy: null, pull: { point: [1, 0, 0], target: [0, 9, 0], force: [0, 5, 0] } });
    expect(detailOf(model, frame, 'body', 0)).toMatchObject({ contact_force: [-1, -2, -2], pull: null, deformation: null });
    expect(detailOf(model, frame, 'joint', 0)).toMatchObject({ force: [1, 2, 3], torque: [4, 5, 6], coordinates: [{ name: 'angle', unit: 'rad', value: 0.25 }] });
    expect(detailOf(model, frame, 'contact', 0)).toMatchObject({ bodies: [1, 0], force: [1, 2, 3], state: 'slip', friction: 0.5, area: 0.25, gap: -0.125 });
    expect(detailOf(model, frame, 'contact', 1)).toMatchObject({ area: null });
  });
  it('what is not there is said', () => {
    expect(() => detailOf(model, frame, 'contact', 2)).toThrow(/no contact 2; there are 2/);
    expect(() => detailOf(model, frame, 'body', 2)).toThrow(/no body 2/);
  });
});

describe('numbers of an axis', () => {
  it('are short, and neighbours differ', () => {
    expect(tickTexts([0, 0.5, 1], 'N')).toEqual(['0 N', '500 mN', '1 N']);
    expect(tickTexts([0.2999, 0.3, 0.3001], 'm')).toEqual(['299.9 mm', '300 mm', '300.1 mm']);
    expect(tickTexts([-0.2, 0, 0.2], 'rad')).toEqual(['-0.2 rad', '0 rad', '0.2 rad']);
    expect(tickTexts([100, 200], '')).toEqual(['100', '200']);
    expect(tickTexts([1e-8, null, 1e-6], '')).toEqual(['1e-8', '', '1e-6']);
    expect(tickTexts([5, null], 'm/s')).toEqual(['5 m/s', '']);
  });
});
