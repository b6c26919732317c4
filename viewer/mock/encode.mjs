// SPDX-License-Identifier: Apache-2.0
// Writes the binary answers of docs/viewer-protocol.md: the page's tests need a server whose every number is known.

export function encodeFrame(frame) {
  const { time, index, position, orientation, velocity, angularVelocity, deformed = [], joints = [], coordinates = [], contacts = [], pull = null } = frame;
  const flags = (frame.flags ?? 1) | (pull ? 4 : 0);
  const nb = position.length / 3;
  const words = 13 * nb + 10 * deformed.length + 6 * joints.length + coordinates.length + 14 * contacts.length;
  const bytes = (48 + 4 * words + ((contacts.length + 3) & ~3) + (pull ? 40 : 0) + 7) & ~7;
  const data = Buffer.alloc(bytes);
  data.writeUInt32LE(0x464e5243, 0);
  data.writeUInt32LE(bytes, 4);
  data.writeDoubleLE(time, 8);
  [index, nb, deformed.length, contacts.length, joints.length, coordinates.length, flags].forEach((v, k) => data.writeUInt32LE(v, 16 + 4 * k));
  let at = 48;
  const floats = (values) => {
    for (const value of values) at = data.writeFloatLE(value, at);
  };
  for (const list of [position, orientation, velocity, angularVelocity]) {
    const view = Buffer.from(Float32Array.from(list).buffer);
    view.copy(data, at);
    at += view.length;
  }
  for (const d of deformed) at = data.writeUInt32LE(d.body, at);
  for (const d of deformed) floats(d.matrix);
  for (const j of joints) floats(j.force);
  for (const j of joints) floats(j.torque);
  floats(coordinates);
  for (const c of contacts) for (const b of c.bodies) at = data.writeInt32LE(b, at);
  for (const key of ['point', 'normal', 'force']) for (const c of contacts) floats(c[key]);
  for (const key of ['gap', 'friction', 'area']) floats(contacts.map((c) => c[key] ?? 0));
  contacts.forEach((c, k) => data.writeUInt8(c.state, at + k));
  if (pull) {
    at = data.writeInt32LE(pull.body, at + ((contacts.length + 3) & ~3));
    for (const key of ['point', 'target', 'force']) floats(pull[key]);
  }
  return data;
}

export function encodeMesh(positions, normals, indices) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(positions.length / 3, 0);
  head.writeUInt32LE(indices.length / 3, 4);
  return Buffer.concat([head, Buffer.from(Float32Array.from(positions).buffer), Buffer.from(Float32Array.from(normals).buffer), Buffer.from(Uint32Array.from(indices).buffer)]);
}

export function encodeTimes(times, complete) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(times.length, 0);
  head.writeUInt32LE(complete ? 1 : 0, 4);
  return Buffer.concat([head, Buffer.from(Float64Array.from(times).buffer)]);
}

export function encodeSeries(t, y) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(t.length, 0);
  return Buffer.concat([head, Buffer.from(Float64Array.from(t).buffer), Buffer.from(Float64Array.from(y).buffer)]);
}

/// A convex prism or hexahedron from eight corners (bottom ring 0-3, top ring 4-7, both counter-clockwise from above): flat faces.
export function hexahedron(corners) {
  const faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
  const [positions, normals, indices] = [[], [], []];
  for (const face of faces) {
    const [a, b, c] = face.map((k) => corners[k]);
    const u = b.map((x, k) => x - a[k]);
    const v = c.map((x, k) => x - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(...n);
    const first = positions.length / 3;
    for (const k of face) {
      positions.push(...corners[k]);
      normals.push(...n.map((x) => x / size));
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return encodeMesh(positions, normals, indices);
}
