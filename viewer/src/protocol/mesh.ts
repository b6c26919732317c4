// SPDX-License-Identifier: Apache-2.0
// Meshes of /api/shape and the tables of /api/times and /api/series, as views on the bytes that arrived.

export interface ShapeMesh {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
}

export function decodeMesh(buffer: ArrayBuffer): ShapeMesh {
  if (buffer.byteLength < 8) throw new Error(`a shape has ${buffer.byteLength} bytes; its head alone has 8`);
  const head = new Uint32Array(buffer, 0, 2);
  const [vertices, triangles] = [head[0], head[1]];
  const needed = 8 + 24 * vertices + 12 * triangles;
  if (buffer.byteLength < needed) throw new Error(`a shape of ${vertices} vertices and ${triangles} triangles has ${buffer.byteLength} bytes; ${needed} are right`);
  const indices = new Uint32Array(buffer, 8 + 24 * vertices, 3 * triangles);
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= vertices) throw new Error(`a triangle names vertex ${indices[i]}; there are ${vertices}`);
  }
  return { positions: new Float32Array(buffer, 8, 3 * vertices), normals: new Float32Array(buffer, 8 + 12 * vertices, 3 * vertices), indices };
}

export interface Times {
  times: Float64Array;
  complete: boolean;
}

export function decodeTimes(buffer: ArrayBuffer): Times {
  const [n, complete] = head(buffer, 8, 'times');
  return { times: new Float64Array(buffer, 8, n), complete: complete !== 0 };
}

export interface Series {
  t: Float64Array;
  y: Float64Array;
}

export function decodeSeries(buffer: ArrayBuffer): Series {
  const [n] = head(buffer, 16, 'series');
  return { t: new Float64Array(buffer, 8, n), y: new Float64Array(buffer, 8 + 8 * n, n) };
}

function head(buffer: ArrayBuffer, bytesPerEntry: number, what: string): [number, number] {
  if (buffer.byteLength < 8) throw new Error(`the ${what} have ${buffer.byteLength} bytes; their head alone has 8`);
  const words = new Uint32Array(buffer, 0, 2);
  const needed = 8 + bytesPerEntry * words[0];
  if (buffer.byteLength < needed) throw new Error(`the ${what} of ${words[0]} entries have ${buffer.byteLength} bytes; ${needed} are right`);
  return [words[0], words[1]];
}

/// Volume enclosed by the triangles (divergence theorem), the largest distance of a vertex from the origin, and the half
/// sizes of a box about the origin.
export function measureMesh(mesh: ShapeMesh): { volume: number; radius: number; half: [number, number, number] } {
  const p = mesh.positions;
  let six = 0;
  for (let k = 0; k < mesh.indices.length; k += 3) {
    const [a, b, c] = [3 * mesh.indices[k], 3 * mesh.indices[k + 1], 3 * mesh.indices[k + 2]];
    six += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) + p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  let far = 0;
  const half: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < p.length; k += 3) {
    far = Math.max(far, p[k] ** 2 + p[k + 1] ** 2 + p[k + 2] ** 2);
    for (let i = 0; i < 3; i++) half[i] = Math.max(half[i], Math.abs(p[k + i]));
  }
  return { volume: Math.abs(six) / 6, radius: Math.sqrt(far), half };
}
