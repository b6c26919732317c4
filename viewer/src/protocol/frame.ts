// SPDX-License-Identifier: Apache-2.0
// Frames as they come from the server: nothing is copied, a frame is a set of offsets into the block it arrived in.
// Layout: docs/viewer-protocol.md, "Frame layout".

export const MAGIC = 0x464e5243;
export const HEADER = 48;
export const HAS_CONTACTS = 1;
export const PAUSED = 2;
export const HAS_PULL = 4;
export const HAS_BROKEN = 8;
const PULL_WORDS = 10;

/// A hand that pulls at a body: where it holds it (body axes), where it is and its force (world).
export interface Pull {
  body: number;
  point: [number, number, number];
  target: [number, number, number];
  force: [number, number, number];
}

/// Offsets count in elements of the array they are used with: f32/u32/i32 in words, `state` in bytes of u8.
export interface Frame {
  time: number;
  index: number;
  nb: number;
  nd: number;
  nc: number;
  nj: number;
  ncoord: number;
  flags: number;
  bytes: number;
  f32: Float32Array;
  u32: Uint32Array;
  i32: Int32Array;
  u8: Uint8Array;
  position: number;
  orientation: number;
  velocity: number;
  angularVelocity: number;
  deformedBody: number;
  deformation: number;
  jointForce: number;
  jointTorque: number;
  coordinate: number;
  bodies: number;
  point: number;
  normal: number;
  force: number;
  gap: number;
  friction: number;
  area: number;
  state: number;
  broken: number;  // -1: all joints hold
  pull: Pull | null;
}

export class FrameError extends Error {}

/// Bytes of a frame with these counts, padding included.
export function frameBytes(nb: number, nd: number, nc: number, nj: number, ncoord: number, flags = 0): number {
  const words = 13 * nb + 10 * nd + 6 * nj + ncoord + 14 * nc;
  const bytes = HEADER + 4 * words + ((nc + 3) & ~3) + (flags & HAS_PULL ? 4 * PULL_WORDS : 0) + (flags & HAS_BROKEN ? (nj + 3) & ~3 : 0);
  return (bytes + 7) & ~7;
}

/// All frames of one answer, in order.
export function decodeFrames(buffer: ArrayBuffer): Frame[] {
  const frames: Frame[] = [];
  const data = new DataView(buffer);
  const f32 = new Float32Array(buffer, 0, buffer.byteLength >> 2);
  const u32 = new Uint32Array(buffer, 0, buffer.byteLength >> 2);
  const i32 = new Int32Array(buffer, 0, buffer.byteLength >> 2);
  const u8 = new Uint8Array(buffer);
  let at = 0;
  while (at < buffer.byteLength) {
    const left = buffer.byteLength - at;
    if (left < HEADER) throw new FrameError(`a frame is cut off: ${left} bytes are left, its head alone has ${HEADER}`);
    const magic = data.getUint32(at, true);
    if (magic !== MAGIC) throw new FrameError(`no frame at byte ${at}: its mark is 0x${magic.toString(16)}, not 0x${MAGIC.toString(16)}`);
    const bytes = data.getUint32(at + 4, true);
    if (bytes > left) throw new FrameError(`a frame is cut off: it has ${bytes} bytes, ${left} arrived`);
    frames.push(decodeOne(data, at, bytes, f32, u32, i32, u8));
    at += bytes;
  }
  return frames;
}

function decodeOne(data: DataView, at: number, bytes: number, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array): Frame {
  const [nb, nd, nc, nj, ncoord, flags] = [20, 24, 28, 32, 36, 40].map((k) => data.getUint32(at + k, true));
  const needed = frameBytes(nb, nd, nc, nj, ncoord, flags);
  if (bytes !== needed) throw new FrameError(`a frame of ${nb} bodies and ${nc} contacts has ${bytes} bytes; ${needed} are right`);
  let word = (at + HEADER) >> 2;
  const take = (count: number) => {
    const start = word;
    word += count;
    return start;
  };
  const frame: Frame = {
    time: data.getFloat64(at + 8, true),
    index: data.getUint32(at + 16, true),
    nb, nd, nc, nj, ncoord, flags, bytes, f32, u32, i32, u8,
    position: take(3 * nb),
    orientation: take(4 * nb),
    velocity: take(3 * nb),
    angularVelocity: take(3 * nb),
    deformedBody: take(nd),
    deformation: take(9 * nd),
    jointForce: take(3 * nj),
    jointTorque: take(3 * nj),
    coordinate: take(ncoord),
    bodies: take(2 * nc),
    point: take(3 * nc),
    normal: take(3 * nc),
    force: take(3 * nc),
    gap: take(nc),
    friction: take(nc),
    area: take(nc),
    state: word << 2,
    broken: -1,
    pull: null,
  };
  take((nc + 3) >> 2);
  if (flags & HAS_PULL) {
    const three = (k: number) => [f32[k], f32[k + 1], f32[k + 2]] as Pull['point'];
    const body = i32[word];
    if (body < 0 || body >= nb) throw new FrameError(`a frame of ${nb} bodies has a pull at body ${body}`);
    frame.pull = { body, point: three(word + 1), target: three(word + 4), force: three(word + 7) };
    take(PULL_WORDS);
  }
  if (flags & HAS_BROKEN) frame.broken = word << 2;
  return frame;
}

/// Whether joint j has not broken.
export function holds(frame: Frame, j: number): boolean {
  return frame.broken < 0 || frame.u8[frame.broken + j] === 0;
}
