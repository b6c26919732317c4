// SPDX-License-Identifier: Apache-2.0
// The line of thrust of arches and piers: the resultant of each joint between two blocks acts at a point; joining the two
// points of a block that is pressed at two faces gives the line (Heyman, The Stone Skeleton, 1995, ch. 2).
import type { Frame } from '../protocol/frame';
import { isHeld, type Model } from '../protocol/model';
import { normalForce } from './contacts';

/// The resultant of all contacts between two bodies.
export interface Interface {
  a: number;
  b: number;
  force: [number, number, number];  ///< on A
  point: [number, number, number];  ///< centre of pressure: mean of the points weighted by normal force
  normalForce: number;
}

export interface ThrustSegment {
  body: number;
  from: [number, number, number];
  to: [number, number, number];
  force: number;  ///< mean of the two resultants [N]
}

export function findInterfaces(frame: Frame): Interface[] {
  const found = new Map<number, Interface>();
  const { f32, i32 } = frame;
  for (let c = 0; c < frame.nc; c++) {
    const [a, b] = [i32[frame.bodies + 2 * c], i32[frame.bodies + 2 * c + 1]];
    const weight = normalForce(frame, c);
    if (!(weight > 0)) continue;
    const swap = a > b;
    const key = (swap ? b : a) * 0x4000000 + (swap ? a : b);
    let pair = found.get(key);
    if (!pair) found.set(key, (pair = { a: swap ? b : a, b: swap ? a : b, force: [0, 0, 0], point: [0, 0, 0], normalForce: 0 }));
    pair.normalForce += weight;
    for (let k = 0; k < 3; k++) {
      pair.force[k] += (swap ? -1 : 1) * f32[frame.force + 3 * c + k];
      pair.point[k] += weight * f32[frame.point + 3 * c + k];
    }
  }
  for (const pair of found.values()) for (let k = 0; k < 3; k++) pair.point[k] /= pair.normalForce;
  return [...found.values()];
}

/// One segment per moving body with exactly two loaded faces; faces with less than `share` of its largest do not count.
export function thrustLine(model: Model, frame: Frame, share = 0.02): ThrustSegment[] {
  const faces = new Map<number, Interface[]>();
  for (const pair of findInterfaces(frame)) {
    for (const body of [pair.a, pair.b]) {
      if (body < 0 || isHeld(model.bodies[body])) continue;
      const list = faces.get(body);
      if (list) list.push(pair);
      else faces.set(body, [pair]);
    }
  }
  const segments: ThrustSegment[] = [];
  for (const [body, list] of faces) {
    const largest = Math.max(...list.map((pair) => pair.normalForce));
    const loaded = list.filter((pair) => pair.normalForce >= share * largest);
    if (loaded.length !== 2) continue;
    const size = (pair: Interface) => Math.hypot(...pair.force);
    segments.push({ body, from: loaded[0].point, to: loaded[1].point, force: (size(loaded[0]) + size(loaded[1])) / 2 });
  }
  return segments;
}
