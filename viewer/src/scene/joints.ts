// SPDX-License-Identifier: Apache-2.0
// Joints: a point at the anchor and thin links to the centres of the two bodies; rods, ropes and struts, which are things of
// their own and always there, as cylinders between their points.
import * as THREE from 'three';
import { hexToLinear } from '../analysis/colormap';
import { holds, type Frame } from '../protocol/frame';
import { isHeld, type JointInfo, type Model, type Vec3 } from '../protocol/model';
import { Dots } from './dots';
import { Instances, overlay, rod } from './instances';

export const JOINT_COLOUR = '#7b4fd6';

export class JointLayer {
  readonly object = new THREE.Group();
  private readonly dots = new Dots(41);
  private readonly links = new Instances(rod(6), overlay(0.65), 28);
  private readonly colour = hexToLinear(JOINT_COLOUR);
  private readonly point = new THREE.Vector3();

  constructor(private readonly model: Model, private readonly size: number) {
    this.object.add(this.dots.object, this.links.object);
    this.links.setThrough(true);
  }

  update(frame: Frame, ratio: number): void {
    this.dots.begin(ratio);
    this.links.begin();
    this.model.joints.forEach((joint, j) => {
      if (!holds(frame, j)) return;
      const p = anchorPoint(frame, joint.body_a, joint.anchor_a, this.point);
      this.dots.add(p.x, p.y, p.z, 9, this.colour);
      for (const body of [joint.body_a, joint.body_b]) {
        if (body < 0 || isHeld(this.model.bodies[body])) continue;  // the centre of a floor says nothing
        const x = frame.position + 3 * body;
        const [dx, dy, dz] = [frame.f32[x] - p.x, frame.f32[x + 1] - p.y, frame.f32[x + 2] - p.z];
        this.links.add(p.x, p.y, p.z, dx, dy, dz, Math.hypot(dx, dy, dz), 0.014 * this.size, this.colour);
      }
    });
    this.dots.end();
    this.links.end();
  }
}

/// Distance joints: rods, ropes and struts.
export class LinkLayer {
  readonly object = new THREE.Group();
  private readonly rods: Instances;
  private readonly colour = hexToLinear('#4a4642');
  private readonly list: { joint: JointInfo; index: number }[];
  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();

  constructor(model: Model, private readonly size: number) {
    this.list = model.joints.map((joint, index) => ({ joint, index })).filter(({ joint }) => joint.type === 'distance');
    this.rods = new Instances(rod(10), new THREE.MeshStandardMaterial({ roughness: 0.7 }), 0);
    if (this.list.length) this.object.add(this.rods.object);
  }
  get count(): number {
    return this.list.length;
  }

  update(frame: Frame): void {
    if (!this.list.length) return;
    this.rods.begin();
    for (const { joint, index } of this.list) {
      if (!holds(frame, index)) continue;
      const a = anchorPoint(frame, joint.body_a, joint.anchor_a, this.a);
      const b = anchorPoint(frame, joint.body_b, joint.anchor_b, this.b);
      const [dx, dy, dz] = [b.x - a.x, b.y - a.y, b.z - a.z];
      this.rods.add(a.x, a.y, a.z, dx, dy, dz, Math.hypot(dx, dy, dz), 0.03 * this.size, this.colour);
    }
    this.rods.end();
  }
}

/// An anchor in world axes; with body -1 it is a world point already. Affine bodies carry it by their deformation.
export function anchorPoint(frame: Frame, body: number, anchor: Vec3, out: THREE.Vector3): THREE.Vector3 {
  out.set(...anchor);
  if (body < 0) return out;
  const { f32 } = frame;
  for (let d = 0; d < frame.nd; d++) {
    if (frame.u32[frame.deformedBody + d] !== body) continue;
    const A = frame.deformation + 9 * d;
    const x = frame.position + 3 * body;
    const row = (i: number) => f32[x + i] + f32[A + 3 * i] * anchor[0] + f32[A + 3 * i + 1] * anchor[1] + f32[A + 3 * i + 2] * anchor[2];
    return out.set(row(0), row(1), row(2));
  }
  const o = frame.orientation + 4 * body;
  const x = frame.position + 3 * body;
  out.applyQuaternion(new THREE.Quaternion(f32[o + 1], f32[o + 2], f32[o + 3], f32[o]));
  return out.add(new THREE.Vector3(f32[x], f32[x + 1], f32[x + 2]));
}
