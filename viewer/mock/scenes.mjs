// SPDX-License-Identifier: Apache-2.0
// Made-up recordings whose every number follows from a formula: a stack, an arch, a mixture of everything, piles of N bodies.
import { hexahedron } from './encode.mjs';

const G = 9.81;
const identity = (n) => Array.from({ length: n }, () => [1, 0, 0, 0]).flat();
const body = (name, shape, more = {}) => ({ name, kind: 'rigid', material: 'stone', mass: 1, shape, deforms: false, ...more });
const ground = body('ground', 0, { kind: 'fixed', mass: null, material: 'ground' });
const HALF_SPACE = { kind: 'half-space', numbers: [0, 0, 1, 0], bounds: null, triangles: 2 };

function model(title, more) {
  return {
    protocol: 1, mode: 'recording', title, file: `${title.replaceAll(' ', '_')}.h5`, cairn: '0.1.0', step: 0.002, interval: 0.02, gravity: [0, 0, -G],
    stepper: 'moreau', solver: 'auto', complete: true, has_contacts: true, joints: [], coordinates: [], laws: [],
    certificate_fields: [{ name: 'residual', unit: '', help: 'natural map' }, { name: 'penetration', unit: 'm', help: 'deepest' },
      { name: 'iterations', unit: '', help: 'of the solver' }, { name: 'contacts', unit: '', help: 'points' }, { name: 'seconds_total', unit: 's', help: 'per step' }],
    alarm: { residual: 1e-6, penetration: 1e-3 }, ...more,
  };
}

/// Five boxes of 1 kg and edge 1 m: each joint carries what is above it, a quarter at each corner.
export function stack() {
  const n = 5;
  return {
    model: model('stack', {
      bodies: [ground, ...Array.from({ length: n }, (_, k) => body(`box ${k + 1}`, 1))],
      shapes: [HALF_SPACE, { kind: 'box', numbers: [0.5, 0.5, 0.5], bounds: [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]], triangles: 12 }],
      bounds: [[-0.5, -0.5, 0], [0.5, 0.5, n]],
    }),
    times: Array.from({ length: 51 }, (_, i) => i * 0.02),
    events: [{ time: 0.2, kind: 'impact', text: 'box 1 meets ground', bodies: [1, 0] }, { time: 0.5, kind: 'stick-slip', text: 'box 3 on box 2 slips', bodies: [3, 2] },
      { time: 0.8, kind: 'alarm', text: 'residual 2e-5 above 1e-6', bodies: [] }],
    frame(i) {
      const contacts = [];
      for (let k = 0; k < n; k++) {
        for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
          contacts.push({ bodies: [k + 1, k], point: [x / 2, y / 2, k], normal: [0, 0, 1], force: [0, 0, ((n - k) * G) / 4], gap: k === 0 ? -2e-3 : -1e-6, friction: 0.5, area: 0.25, state: k === 3 ? 2 : 1 });
        }
      }
      return {
        position: [0, 0, 0, ...Array.from({ length: n }, (_, k) => [0, 0, k + 0.5]).flat()], orientation: identity(n + 1),
        velocity: Array.from({ length: n + 1 }, (_, k) => [0, 0, k * 0.1 * (i / 50)]).flat(), angularVelocity: new Array(3 * (n + 1)).fill(0), contacts,
      };
    },
  };
}

/// A half-circle of blocks with the thrust at a known place: the mid-line raised at the crown by 0.1 of the thickness.
export function arch() {
  const [n, R, d] = [15, 5, 0.8];
  const angle = (k) => Math.PI - (Math.PI * k) / n;
  const at = (r, a, y) => [r * Math.cos(a), y, r * Math.sin(a)];
  const centre = (k) => at(R, angle(k + 0.5), 0);
  const corner = (k) => {
    const [a, b] = [angle(k), angle(k + 1)];
    const c = centre(k);
    return [at(R - d / 2, a, -0.5), at(R - d / 2, b, -0.5), at(R - d / 2, b, 0.5), at(R - d / 2, a, 0.5), at(R + d / 2, a, -0.5), at(R + d / 2, b, -0.5), at(R + d / 2, b, 0.5), at(R + d / 2, a, 0.5)]
      .map((p) => p.map((x, i) => x - c[i]));
  };
  return {
    model: model('arch', {
      bodies: [ground, ...Array.from({ length: n }, (_, k) => body(`voussoir ${k + 1}`, k + 1, { mass: 1000 }))],
      shapes: [HALF_SPACE, ...Array.from({ length: n }, () => ({ kind: 'convex', bounds: [[-1, -1, -1], [1, 1, 1]], triangles: 12 }))],
      bounds: [[-R - d / 2, -0.5, 0], [R + d / 2, 0.5, R + d / 2]],
    }),
    mesh: (k) => (k === 0 ? null : hexahedron(corner(k - 1))),
    times: Array.from({ length: 11 }, (_, i) => i * 0.1),
    events: [],
    frame() {
      const contacts = [];
      for (let k = 0; k <= n; k++) {
        const a = angle(k);
        const e = 0.1 * d * Math.sin(a);  // of the thrust from the mid-line
        const normal = [-Math.sin(a), 0, Math.cos(a)].map((x) => -x);  // along the arch, from block k-1 to block k
        for (const side of [-1, 1]) {
          const share = 0.5 + (side * e) / d;
          for (const y of [-0.5, 0.5]) {
            contacts.push({ bodies: [k === n ? 0 : k + 1, k === 0 ? 0 : k], point: at(R + (side * d) / 2, a, y), normal,
              force: normal.map((x) => x * 8000 * share), gap: 0, friction: 0.6, area: d / 4, state: 1 });
          }
        }
      }
      return { position: [0, 0, 0, ...Array.from({ length: n }, (_, k) => centre(k)).flat()], orientation: identity(n + 1), velocity: new Array(3 * (n + 1)).fill(0), angularVelocity: new Array(3 * (n + 1)).fill(0), contacts };
    },
  };
}

/// One of each: a bouncing ball, a sheared affine block, a pendulum with its joint, a sliding box.
export function mixture() {
  const height = (t) => {  // restitution 0.8 from 2 m
    let [v, u] = [Math.sqrt(2 * G * 1.7), t - Math.sqrt((2 * 1.7) / G)];
    if (u < 0) return { z: 2 - 0.5 * G * t * t, v: -G * t };
    for (v *= 0.8; u > (2 * v) / G && v > 0.3; v *= 0.8) u -= (2 * v) / G;
    return v > 0.3 ? { z: 0.3 + v * u - 0.5 * G * u * u, v: v - G * u } : { z: 0.3, v: 0 };
  };
  return {
    model: model('mixture', {
      bodies: [ground, body('ball', 1, { material: 'rubber' }), body('block', 2, { kind: 'affine', deforms: true, material: 'gel' }), body('bob', 1, { material: 'steel' }), body('sledge', 3, { material: 'steel' })],
      shapes: [HALF_SPACE, { kind: 'sphere', numbers: [0.3], bounds: [[-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]], triangles: 320 },
        { kind: 'box', numbers: [0.4, 0.4, 0.4], bounds: [[-0.4, -0.4, -0.4], [0.4, 0.4, 0.4]], triangles: 12 }, { kind: 'box', numbers: [0.5, 0.25, 0.15], bounds: [[-0.5, -0.25, -0.15], [0.5, 0.25, 0.15]], triangles: 12 }],
      joints: [{ name: 'hinge', type: 'revolute', body_a: 3, body_b: -1, anchor_a: [0, 0, 1], anchor_b: [2, 0, 2] }],
      coordinates: [{ joint: 0, name: 'hinge angle', unit: 'rad' }],
      bounds: [[-2.5, -0.6, 0], [3, 0.6, 2.3]],
    }),
    times: Array.from({ length: 201 }, (_, i) => i * 0.02),
    events: [{ time: Math.sqrt((2 * 1.7) / G), kind: 'impact', text: 'ball meets ground', bodies: [1, 0] }, { time: 2, kind: 'stick-slip', text: 'sledge sticks', bodies: [4, 0] }],
    frame(i) {
      const t = i * 0.02;
      const ball = height(t);
      const angle = 0.8 * Math.cos(Math.sqrt(G) * t);
      const rate = -0.8 * Math.sqrt(G) * Math.sin(Math.sqrt(G) * t);
      const shear = 0.4 * Math.sin(6 * t) * Math.exp(-0.4 * t);
      const slide = Math.min(t, 2);
      const x = -2 + 2 * slide - 0.5 * slide * slide;
      const contacts = [];
      for (const [a, b] of [[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]]) {
        contacts.push({ bodies: [4, 0], point: [x + a, -0.9 + b, 0], normal: [0, 0, 1], force: [t < 2 ? -0.25 : 0, 0, G / 4], gap: 0, friction: 0.1, area: 0.125, state: t < 2 ? 2 : 1 });
      }
      if (ball.z < 0.3005) contacts.push({ bodies: [1, 0], point: [0, 0, 0], normal: [0, 0, 1], force: [0, 0, G], gap: 0, friction: 0.3, area: 0, state: 1 });
      return {
        position: [0, 0, 0, 0, 0, ball.z, 1.2, -0.9, 0.4, 2 - Math.sin(angle), 0, 2 - Math.cos(angle), x, -0.9, 0.15],
        orientation: [1, 0, 0, 0, Math.cos(t), 0, Math.sin(t), 0, 1, 0, 0, 0, Math.cos(angle / 2), 0, Math.sin(angle / 2), 0, 1, 0, 0, 0],
        velocity: [0, 0, 0, 0, 0, ball.v, 0, 0, 0, -rate * Math.cos(angle), 0, rate * Math.sin(angle), t < 2 ? 2 - t : 0, 0, 0],
        angularVelocity: [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, rate, 0, 0, 0, 0],
        deformed: [{ body: 2, matrix: [1, 0, shear, 0, 1, 0, 0, 0, 1] }],
        joints: [{ force: [0, 0, G], torque: [0, 0, 0] }], coordinates: [angle], contacts,
        // From 3 s to 3.5 s somebody pulls the bob to the side.
        pull: t >= 3 && t <= 3.5 ? { body: 3, point: [0.1, 0, 0], target: [2.5, -1, 1.5], force: [3, -4, 12] } : null,
      };
    },
  };
}

/// N spheres and boxes on a lattice that breathes; a contact between each and the one below. For frame rates.
export function pile(n) {
  const side = Math.ceil(Math.cbrt(n));
  const place = Float32Array.from({ length: 3 * n }, (_, k) => {
    const i = Math.floor(k / 3);
    return [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)][k % 3] * 1.05 + (k % 3 === 2 ? 0.5 : -side / 2);
  });
  return {
    model: model(`pile of ${n}`, {
      bodies: [ground, ...Array.from({ length: n }, (_, k) => body(`grain ${k + 1}`, k % 4 === 0 ? 2 : 1))],
      shapes: [HALF_SPACE, { kind: 'sphere', numbers: [0.5], bounds: [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]], triangles: 320 }, { kind: 'box', numbers: [0.42, 0.42, 0.42], bounds: [[-0.42, -0.42, -0.42], [0.42, 0.42, 0.42]], triangles: 12 }],
      bounds: [[-side / 2, -side / 2, 0], [side / 2, side / 2, side]],
    }),
    times: Array.from({ length: 121 }, (_, i) => i / 60),
    events: [],
    frame(i) {
      const t = i / 60;
      const position = new Float32Array(3 * n + 3);
      const orientation = new Float32Array(4 * n + 4);
      const velocity = new Float32Array(3 * n + 3);
      orientation[0] = 1;
      const contacts = [];
      for (let k = 0; k < n; k++) {
        const wave = 0.3 * Math.sin(3 * t + 0.2 * (place[3 * k] + place[3 * k + 1]));
        position[3 * k + 3] = place[3 * k];
        position[3 * k + 4] = place[3 * k + 1];
        position[3 * k + 5] = place[3 * k + 2] * (1 + 0.1 * Math.sin(t)) + wave + 0.3;
        orientation[4 * k + 4] = Math.cos(t + k);
        orientation[4 * k + 6] = Math.sin(t + k);
        velocity[3 * k + 5] = 0.9 * Math.cos(3 * t + 0.2 * (place[3 * k] + place[3 * k + 1]));
        const below = k - side * side;
        if (below >= 0) contacts.push({ bodies: [k + 1, below + 1], point: [position[3 * k + 3], position[3 * k + 4], position[3 * k + 5] - 0.5], normal: [0, 0, 1], force: [0, 0, G * (side - Math.floor(k / side / side))], gap: 0, friction: 0.4, area: 0, state: 1 });
      }
      return { position, orientation, velocity, angularVelocity: new Float32Array(3 * n + 3), contacts };
    },
  };
}

export function sceneByName(name) {
  const match = /^pile-?(\d+)$/.exec(name);
  if (match) return pile(Number(match[1]));
  const scene = { stack, arch, mixture }[name];
  if (!scene) throw new Error(`no scene '${name}'; there are stack, arch, mixture and pile-N`);
  return scene();
}
