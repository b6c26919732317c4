// SPDX-License-Identifier: Apache-2.0
// The contact layer: points by state, force arrows, friction cones, force chains, pressure, line of thrust, penetrations.
import * as THREE from 'three';
import { hexToLinear, linearTable } from '../analysis/colormap';
import { contactState, forceSize, normalForce, shownSide, upperValue } from '../analysis/contacts';
import { thrustLine } from '../analysis/thrust';
import { niceCeiling } from '../analysis/units';
import type { Frame } from '../protocol/frame';
import { isHeld, type Model } from '../protocol/model';
import { Dots } from './dots';
import { disc, funnel, head, Instances, overlay, rod } from './instances';

export const LAYERS = ['points', 'arrows', 'cones', 'chains', 'pressure', 'thrust', 'penetration', 'joints', 'edges', 'grid'] as const;
export type Layer = (typeof LAYERS)[number];

export const STATE_COLOURS = ['#9aa3ad', '#1f9e63', '#f0a202', '#4aa3ff'];  // open, stick, slip, separating
export const WARNING_COLOUR = '#e5263a';
export const ARROW_COLOUR = '#1668c7';
export const THRUST_COLOUR = '#d1285a';

export interface ContactScales {
  force: number;        ///< N at the upper end of arrows and chains
  pressure: number;     ///< Pa at the upper end of the discs
  penetration: number;  ///< m above which a contact is a warning
  deep: number;         ///< contacts above it in this frame
  thrust: number;       ///< largest thrust [N]
}

export class ContactLayer {
  readonly object = new THREE.Group();
  readonly scales: ContactScales;
  arrowScale = 1;
  private readonly dots = new Dots(40);
  private readonly shafts = new Instances(rod(8), overlay(), 30);
  private readonly heads = new Instances(head(), overlay(), 31);
  private readonly cones = new Instances(funnel(), overlay(0.22, THREE.DoubleSide), 20);
  private readonly chains = new Instances(rod(6), overlay(0.92), 25);
  private readonly discs = new Instances(disc(), overlay(0.9, THREE.DoubleSide), 22);
  private readonly thrust = new Instances(rod(8), overlay(), 35);
  private readonly states = STATE_COLOURS.map(hexToLinear);
  private readonly warning = hexToLinear(WARNING_COLOUR);
  private readonly arrow = hexToLinear(ARROW_COLOUR);
  private readonly line = hexToLinear(THRUST_COLOUR);
  private readonly heat = linearTable('inferno');
  private sizes = new Float32Array(64);

  /// `size`: the length of a typical body; arrows, cones and chains are drawn to it.
  constructor(private readonly model: Model, private readonly size: number) {
    this.scales = { force: 0, pressure: 0, penetration: model.alarm?.penetration ?? 1e-3 * size, deep: 0, thrust: 0 };
    for (const part of this.parts()) this.object.add(part.object);
    this.object.add(this.dots.object);
  }

  private parts(): Instances[] {
    return [this.shafts, this.heads, this.cones, this.chains, this.discs, this.thrust];
  }

  /// Seen through bodies, or hidden by them.
  setThrough(on: boolean): void {
    for (const part of this.parts()) part.setThrough(on);
    this.dots.setThrough(on);
  }

  update(frame: Frame, on: ReadonlySet<Layer>, ratio: number): void {
    this.measure(frame);
    this.dots.begin(ratio);
    for (const part of this.parts()) part.begin();
    this.scales.deep = 0;
    for (let c = 0; c < frame.nc; c++) this.addContact(frame, c, on);
    if (on.has('thrust')) this.addThrust(frame);
    this.dots.end();
    for (const part of this.parts()) part.end();
  }

  /// Scales only grow while a recording is shown, so that lengths can be compared between moments.
  private measure(frame: Frame): void {
    if (this.sizes.length < frame.nc) this.sizes = new Float32Array(2 * frame.nc);
    for (let c = 0; c < frame.nc; c++) this.sizes[c] = forceSize(frame, c);
    this.scales.force = Math.max(this.scales.force, niceCeiling0(upperValue(this.sizes, frame.nc)));
    for (let c = 0; c < frame.nc; c++) this.sizes[c] = frame.f32[frame.area + c] > 0 ? normalForce(frame, c) / frame.f32[frame.area + c] : 0;
    this.scales.pressure = Math.max(this.scales.pressure, niceCeiling0(upperValue(this.sizes, frame.nc)));
  }

  private addContact(frame: Frame, c: number, on: ReadonlySet<Layer>): void {
    const { f32 } = frame;
    const [p, n, f] = [frame.point + 3 * c, frame.normal + 3 * c, frame.force + 3 * c];
    const [x, y, z] = [f32[p], f32[p + 1], f32[p + 2]];
    const state = contactState(frame, c);
    const force = forceSize(frame, c);
    const share = this.scales.force > 0 ? Math.min(1.6, force / this.scales.force) : 0;
    const deep = -f32[frame.gap + c] > this.scales.penetration;
    if (deep) this.scales.deep++;
    if (on.has('points')) this.dots.add(x, y, z, state === 0 ? 5 : 8, this.states[state]);
    if (on.has('penetration') && deep) this.dots.add(x, y, z, 14, this.warning);
    if (on.has('pressure') && f32[frame.area + c] > 0 && force > 0) {
      const pressure = this.scales.pressure > 0 ? normalForce(frame, c) / f32[frame.area + c] / this.scales.pressure : 0;
      this.discs.add(x, y, z, f32[n], f32[n + 1], f32[n + 2], 1, Math.sqrt(f32[frame.area + c] / Math.PI), this.heat, heatPlace(pressure));
    }
    if (!(share > 1e-4)) return;
    const side = shownSide(this.model, frame, c);
    if (on.has('arrows')) this.addArrow(x, y, z, side * f32[f], side * f32[f + 1], side * f32[f + 2], share * this.size * this.arrowScale, this.arrow);
    const friction = f32[frame.friction + c];
    if (on.has('cones') && friction > 0) {
      const length = 0.45 * this.size * this.arrowScale;
      this.cones.add(x, y, z, side * f32[n], side * f32[n + 1], side * f32[n + 2], length, friction * length, this.states[state]);
    }
    if (on.has('chains')) this.addChain(frame, c, share);
  }

  /// From the centre of each moving body to the contact; as thick and as bright as the force.
  private addChain(frame: Frame, c: number, share: number): void {
    const { f32 } = frame;
    const p = frame.point + 3 * c;
    const width = 0.11 * this.size * Math.min(1.4, share) * this.arrowScale;
    if (width < 1e-3 * this.size) return;
    for (let side = 0; side < 2; side++) {
      const body = frame.i32[frame.bodies + 2 * c + side];
      if (body < 0 || isHeld(this.model.bodies[body])) continue;
      const x = frame.position + 3 * body;
      const [dx, dy, dz] = [f32[p] - f32[x], f32[p + 1] - f32[x + 1], f32[p + 2] - f32[x + 2]];
      this.chains.add(f32[x], f32[x + 1], f32[x + 2], dx, dy, dz, Math.sqrt(dx * dx + dy * dy + dz * dz), width, this.heat, heatPlace(share));
    }
  }

  private addArrow(x: number, y: number, z: number, dx: number, dy: number, dz: number, length: number, colour: ArrayLike<number>): void {
    const width = 0.022 * this.size * Math.sqrt(this.arrowScale);
    const tip = Math.min(0.45 * length, 5.5 * width);
    this.shafts.add(x, y, z, dx, dy, dz, length - tip, Math.min(width, 0.2 * length), colour);
    const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const k = (length - tip) / size;
    this.heads.add(x + k * dx, y + k * dy, z + k * dz, dx, dy, dz, tip, Math.min(2.3 * width, 0.4 * length), colour);
  }

  private addThrust(frame: Frame): void {
    const segments = thrustLine(this.model, frame);
    const largest = segments.reduce((most, s) => Math.max(most, s.force), 0);
    this.scales.thrust = largest;
    for (const { from, to, force } of segments) {
      const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
      const width = this.size * (0.012 + 0.03 * (force / largest)) * Math.sqrt(this.arrowScale);
      this.thrust.add(from[0], from[1], from[2], dx, dy, dz, Math.hypot(dx, dy, dz), width, this.line);
      for (const end of [from, to]) this.dots.add(end[0], end[1], end[2], 7, this.line);
    }
  }

  /// The force of the mouse in live mode, beside the contacts' arrows.
}

const heatPlace = (share: number) => 3 * Math.min(255, Math.max(0, Math.floor(255.999 * Math.min(1, share))));
const niceCeiling0 = (value: number) => (value > 0 ? niceCeiling(value) : 0);
