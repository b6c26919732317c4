// SPDX-License-Identifier: Apache-2.0
// What a contact does at a moment: open, stick, slip, or separating, and the numbers drawn with it.
import type { Frame } from '../protocol/frame';
import type { Model } from '../protocol/model';
import { isHeld } from '../protocol/model';

export const OPEN = 0;
export const STICK = 1;
export const SLIP = 2;
export const SEPARATING = 3;
export const STATE_WORDS = ['open', 'stick', 'slip', 'separating'];

/// n . (v_A - v_B) at the contact point: > 0 separates (the normal points from B to A).
export function normalVelocity(frame: Frame, c: number): number {
  const n = frame.normal + 3 * c;
  const { f32 } = frame;
  return along(frame, c, 0, f32[n], f32[n + 1], f32[n + 2]) - along(frame, c, 1, f32[n], f32[n + 1], f32[n + 2]);
}

function along(frame: Frame, c: number, side: number, nx: number, ny: number, nz: number): number {
  const body = frame.i32[frame.bodies + 2 * c + side];
  if (body < 0) return 0;
  const { f32 } = frame;
  const [x, v, w, p] = [frame.position + 3 * body, frame.velocity + 3 * body, frame.angularVelocity + 3 * body, frame.point + 3 * c];
  const [rx, ry, rz] = [f32[p] - f32[x], f32[p + 1] - f32[x + 1], f32[p + 2] - f32[x + 2]];
  return nx * (f32[v] + f32[w + 1] * rz - f32[w + 2] * ry) + ny * (f32[v + 1] + f32[w + 2] * rx - f32[w] * rz) +
    nz * (f32[v + 2] + f32[w] * ry - f32[w + 1] * rx);
}

/// The recorded state; an open contact whose bodies move apart is separating. The bound keeps rounding of float32 out.
export function contactState(frame: Frame, c: number, apart = 1e-4): number {
  const state = frame.u8[frame.state + c];
  return state === OPEN && normalVelocity(frame, c) > apart ? SEPARATING : state;
}

export function normalForce(frame: Frame, c: number): number {
  const { f32 } = frame;
  const [n, f] = [frame.normal + 3 * c, frame.force + 3 * c];
  return f32[n] * f32[f] + f32[n + 1] * f32[f + 1] + f32[n + 2] * f32[f + 2];
}

export function forceSize(frame: Frame, c: number): number {
  const f = frame.force + 3 * c;
  return Math.hypot(frame.f32[f], frame.f32[f + 1], frame.f32[f + 2]);
}

/// +1 when the force is drawn as acting on A, -1 as acting on B: the body that is held up shows it, so that under a
/// stack arrows point up whichever body is called A.
export function shownSide(model: Model, frame: Frame, c: number): number {
  const a = frame.i32[frame.bodies + 2 * c];
  const b = frame.i32[frame.bodies + 2 * c + 1];
  const heldA = a < 0 || isHeld(model.bodies[a]);
  const heldB = b < 0 || isHeld(model.bodies[b]);
  if (heldA !== heldB) return heldA ? -1 : 1;
  const [gx, gy, gz] = model.gravity;
  const f = frame.force + 3 * c;
  return frame.f32[f] * gx + frame.f32[f + 1] * gy + frame.f32[f + 2] * gz > 0 ? -1 : 1;
}

/// A robust largest value: the value that the share `part` of the positive ones does not exceed. 0 when there is none.
export function upperValue(values: ArrayLike<number>, count: number, part = 0.95): number {
  const positive: number[] = [];
  for (let i = 0; i < count; i++) if (values[i] > 0) positive.push(values[i]);
  if (!positive.length) return 0;
  positive.sort((a, b) => a - b);
  return positive[Math.min(positive.length - 1, Math.floor(part * positive.length))];
}
