// SPDX-License-Identifier: Apache-2.0
// How much a body is deformed or pressed: equivalent Green strain of affine bodies, and the mean stress that contact
// forces make in any body (Love-Weber: V sigma = sum of f (x) r).
import type { Frame } from '../protocol/frame';

/// sqrt(2/3 E:E) of Green's strain E = (F'F - 1)/2: 0 for every rotation, the strain itself in simple tension of a body that
/// keeps its volume. `at` is the place of the nine numbers of F, row by row.
export function equivalentStrain(f32: ArrayLike<number>, at: number): number {
  const F = (i: number, j: number) => f32[at + 3 * i + j];
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let c = 0;
      for (let k = 0; k < 3; k++) c += F(k, i) * F(k, j);
      const e = (c - (i === j ? 1 : 0)) / 2;
      sum += e * e;
    }
  }
  return Math.sqrt((2 / 3) * sum);
}

/// Von Mises value of a stress given by its nine numbers (the symmetric part counts).
export function vonMises(s: ArrayLike<number>, at = 0): number {
  const [xx, yy, zz] = [s[at], s[at + 4], s[at + 8]];
  const [xy, yz, zx] = [(s[at + 1] + s[at + 3]) / 2, (s[at + 5] + s[at + 7]) / 2, (s[at + 2] + s[at + 6]) / 2];
  return Math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy * xy + yz * yz + zx * zx));
}

/// Mean contact stress of every body, nine numbers each, into `out`; bodies without volume get zero.
export function contactStress(frame: Frame, volume: ArrayLike<number>, out: Float32Array): void {
  out.fill(0);
  const { f32, i32 } = frame;
  for (let c = 0; c < frame.nc; c++) {
    for (let side = 0; side < 2; side++) {
      const body = i32[frame.bodies + 2 * c + side];
      if (body < 0 || !(volume[body] > 0)) continue;
      const sign = side === 0 ? 1 : -1;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const arm = f32[frame.point + 3 * c + j] - f32[frame.position + 3 * body + j];
          out[9 * body + 3 * i + j] += (sign * f32[frame.force + 3 * c + i] * arm) / volume[body];
        }
      }
    }
  }
}
