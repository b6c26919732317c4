// SPDX-License-Identifier: Apache-2.0
// Colours for numbers and for kinds. Viridis after van der Walt and Smith (CC0), as polynomials fitted to its table
// by M. Zucker; the sets of kinds after P. Tol's "muted" and "bright" schemes, which stay apart for colour-blind readers.

export type Rgb = [number, number, number];

const VIRIDIS: Rgb[] = [
  [0.2777273272234177, 0.005407344544966578, 0.3340998053353061],
  [0.1050930431085774, 1.404613529898575, 1.384590162594685],
  [-0.3308618287255563, 0.214847559468213, 0.09509516302823659],
  [-4.634230498983486, -5.799100973351585, -19.33244095627987],
  [6.228269936347081, 14.17993336680509, 56.69055260068105],
  [4.776384997670288, -13.74514537774601, -65.35303263337234],
  [-5.435455855934631, 4.645852612178535, 26.3124352495832],
];

const INFERNO: Rgb[] = [
  [0.0002189403691192265, 0.001651004631001012, -0.01948089843709184],
  [0.1065134194856116, 0.5639564367884091, 3.932712388889277],
  [11.60249308247187, -3.972853965665698, -15.9423941062914],
  [-41.70399613139459, 17.43639888205313, 44.35414519872813],
  [77.162935699427, -33.40235894210092, -81.80730925738993],
  [-71.31942824499214, 32.62606426397723, 73.20951985803202],
  [25.13112622477341, -12.24266895238567, -23.07032500287172],
];

function polynomial(c: Rgb[], t: number): Rgb {
  const out: Rgb = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let value = 0;
    for (let i = c.length - 1; i >= 0; i--) value = value * t + c[i][k];
    out[k] = Math.min(1, Math.max(0, value));
  }
  return out;
}

export type MapName = 'viridis' | 'inferno';

/// sRGB in [0, 1] at t in [0, 1]; a value outside, or no number, is held at the border. Inferno leaves out its black end.
export function mapColour(name: MapName, t: number): Rgb {
  const s = Number.isFinite(t) ? Math.min(1, Math.max(0, t)) : 0;
  return name === 'viridis' ? polynomial(VIRIDIS, s) : polynomial(INFERNO, 0.18 + 0.72 * s);
}

export function toLinear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/// 256 linear colours, three numbers each: what the instance colours are filled from.
export function linearTable(name: MapName): Float32Array {
  const table = new Float32Array(3 * 256);
  for (let i = 0; i < 256; i++) mapColour(name, i / 255).forEach((c, k) => (table[3 * i + k] = toLinear(c)));
  return table;
}

export const KIND_COLOURS = ['#6f90b5', '#c99f68', '#7ba68a', '#b5786c', '#9189bd', '#aea28c', '#62a3a8', '#96765f'];
export const BRIGHT_COLOURS = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#ee8833', '#44aa99', '#882255', '#999933'];

export function hexToLinear(hex: string): Rgb {
  return [1, 3, 5].map((k) => toLinear(parseInt(hex.slice(k, k + 2), 16) / 255)) as Rgb;
}

/// A number that belongs to a text, the same in every session (FNV-1a).
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export function cssColour(rgb: Rgb): string {
  return `rgb(${rgb.map((c) => Math.round(255 * c)).join(' ')})`;
}
