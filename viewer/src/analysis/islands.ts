// SPDX-License-Identifier: Apache-2.0
// Islands: bodies that hang together by contacts and joints. Held bodies (ground, walls) join nobody, as in the solver's view.
import type { Frame } from '../protocol/frame';
import { isHeld, type Model } from '../protocol/model';

/// Island of every body, numbered from 0 in the order of each island's first body; -1 for held bodies.
/// Only contacts that carry force join.
export class Islands {
  readonly island: Int32Array;
  count = 0;
  private readonly parent: Int32Array;
  private readonly held: Uint8Array;

  constructor(private readonly model: Model) {
    this.island = new Int32Array(model.bodies.length);
    this.parent = new Int32Array(model.bodies.length);
    this.held = Uint8Array.from(model.bodies, (body) => (isHeld(body) ? 1 : 0));
  }

  update(frame: Frame): void {
    const { parent, island, held } = this;
    for (let i = 0; i < parent.length; i++) parent[i] = i;
    for (let c = 0; c < frame.nc; c++) {
      const f = frame.force + 3 * c;
      if (frame.f32[f] === 0 && frame.f32[f + 1] === 0 && frame.f32[f + 2] === 0) continue;
      this.join(frame.i32[frame.bodies + 2 * c], frame.i32[frame.bodies + 2 * c + 1]);
    }
    for (const joint of this.model.joints) this.join(joint.body_a, joint.body_b);
    this.count = 0;
    island.fill(-1);
    for (let i = 0; i < parent.length; i++) {
      if (held[i]) continue;
      const root = this.find(i);
      if (island[root] < 0) island[root] = this.count++;
      island[i] = island[root];
    }
  }

  private join(a: number, b: number): void {
    if (a < 0 || b < 0 || this.held[a] || this.held[b]) return;
    const [ra, rb] = [this.find(a), this.find(b)];
    // The smaller index is the root, so that numbering follows the first body.
    if (ra < rb) this.parent[rb] = ra;
    else this.parent[ra] = rb;
  }

  private find(i: number): number {
    const { parent } = this;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }
}
