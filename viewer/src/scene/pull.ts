// SPDX-License-Identifier: Apache-2.0
// Who pulls at a body: an arrow from the point that is held to the hand, of a drag in a live run or of one that was recorded.
import * as THREE from 'three';
import { hexToLinear } from '../analysis/colormap';
import { Dots } from './dots';
import { head, Instances, overlay, rod } from './instances';

export const PULL_COLOUR = '#c026d3';

export class PullLayer {
  readonly object = new THREE.Group();
  private readonly shaft = new Instances(rod(8), overlay(), 36);
  private readonly tip = new Instances(head(), overlay(), 37);
  private readonly dots = new Dots(42);
  private readonly colour = hexToLinear(PULL_COLOUR);

  constructor(private readonly size: number) {
    for (const part of [this.shaft, this.tip]) {
      part.setThrough(true);
      this.object.add(part.object);
    }
    this.dots.setThrough(true);
    this.object.add(this.dots.object);
    this.show(null, null, 1);
  }

  show(point: THREE.Vector3 | null, target: THREE.Vector3 | null, ratio: number): void {
    for (const part of [this.shaft, this.tip]) part.begin();
    this.dots.begin(ratio);
    if (point && target) {
      const d = target.clone().sub(point);
      const length = d.length();
      const width = 0.05 * this.size;
      const tip = Math.min(0.5 * length, 6 * width);
      this.shaft.add(point.x, point.y, point.z, d.x, d.y, d.z, length - tip, width, this.colour);
      const foot = point.clone().addScaledVector(d, length > 0 ? 1 - tip / length : 0);
      this.tip.add(foot.x, foot.y, foot.z, d.x, d.y, d.z, tip, 2.6 * width, this.colour);
      this.dots.add(point.x, point.y, point.z, 9, this.colour);
    }
    for (const part of [this.shaft, this.tip]) part.end();
    this.dots.end();
  }
}
