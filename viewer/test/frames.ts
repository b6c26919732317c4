// SPDX-License-Identifier: Apache-2.0
// Frames for tests, written byte by byte from docs/viewer-protocol.md, independently of the page's own decoder.

export interface TestContact {
  bodies: [number, number];
  point: number[];
  normal: number[];
  force: number[];
  gap?: number;
  friction?: number;
  area?: number;
  state?: number;
}

export interface TestFrame {
  time?: number;
  index?: number;
  position: number[][];
  orientation?: number[][];
  velocity?: number[][];
  angularVelocity?: number[][];
  deformed?: { body: number; matrix: number[] }[];
  joints?: { force: number[]; torque: number[] }[];
  coordinates?: number[];
  contacts?: TestContact[];
  flags?: number;
  broken?: number[];  // one per joint
  pull?: { body: number; point: number[]; target: number[]; force: number[] };
}

/// Little-endian, one field after the other.
export function writeFrame(f: TestFrame): Uint8Array {
  const bytes: number[] = [];
  const scratch = new DataView(new ArrayBuffer(8));
  const put = (n: number) => {
    for (let k = 0; k < n; k++) bytes.push(scratch.getUint8(k));
  };
  const u32 = (v: number) => (scratch.setUint32(0, v, true), put(4));
  const i32 = (v: number) => (scratch.setInt32(0, v, true), put(4));
  const f32 = (v: number) => (scratch.setFloat32(0, v, true), put(4));
  const f64 = (v: number) => (scratch.setFloat64(0, v, true), put(8));
  const nb = f.position.length;
  const zeros = Array.from({ length: nb }, () => [0, 0, 0]);
  const contacts = f.contacts ?? [];
  u32(0x464e5243);
  u32(0);  // length, set below
  f64(f.time ?? 0);
  u32(f.index ?? 0);
  u32(nb);
  u32(f.deformed?.length ?? 0);
  u32(contacts.length);
  u32(f.joints?.length ?? 0);
  u32(f.coordinates?.length ?? 0);
  u32(f.flags ?? 1 + (f.pull ? 4 : 0) + (f.broken ? 8 : 0));
  u32(0);
  for (const row of f.position) row.forEach(f32);
  for (const row of f.orientation ?? Array.from({ length: nb }, () => [1, 0, 0, 0])) row.forEach(f32);
  for (const row of f.velocity ?? zeros) row.forEach(f32);
  for (const row of f.angularVelocity ?? zeros) row.forEach(f32);
  for (const d of f.deformed ?? []) u32(d.body);
  for (const d of f.deformed ?? []) d.matrix.forEach(f32);
  for (const j of f.joints ?? []) j.force.forEach(f32);
  for (const j of f.joints ?? []) j.torque.forEach(f32);
  (f.coordinates ?? []).forEach(f32);
  for (const c of contacts) c.bodies.forEach(i32);
  for (const c of contacts) c.point.forEach(f32);
  for (const c of contacts) c.normal.forEach(f32);
  for (const c of contacts) c.force.forEach(f32);
  for (const c of contacts) f32(c.gap ?? 0);
  for (const c of contacts) f32(c.friction ?? 0);
  for (const c of contacts) f32(c.area ?? 0);
  for (const c of contacts) bytes.push(c.state ?? 1);
  while (bytes.length % 4) bytes.push(0);
  if (f.pull) {
    i32(f.pull.body);
    [...f.pull.point, ...f.pull.target, ...f.pull.force].forEach(f32);
  }
  if (f.broken) {
    bytes.push(...f.broken);
    while (bytes.length % 4) bytes.push(0);
  }
  while (bytes.length % 8) bytes.push(0);
  const out = Uint8Array.from(bytes);
  new DataView(out.buffer).setUint32(4, out.length, true);
  return out;
}

export function join(...parts: Uint8Array[]): ArrayBuffer {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out.buffer;
}

import type { Model } from '../src/protocol/model';

export function testModel(kinds: string[], more: Partial<Model> = {}): Model {
  return {
    protocol: 1, mode: 'recording', title: 't', file: 't.h5', cairn: '0', step: 0.01, interval: 0.01, gravity: [0, 0, -9.81], stepper: 'moreau', solver: 'auto', complete: true, has_contacts: true,
    bodies: kinds.map((kind, k) => ({ name: `body ${k}`, kind, material: 'stone', mass: 1, shape: -1, deforms: kind === 'affine' })),
    shapes: [], joints: [], coordinates: [], laws: [], certificate_fields: [], bounds: [[0, 0, 0], [1, 1, 1]], ...more,
  };
}
