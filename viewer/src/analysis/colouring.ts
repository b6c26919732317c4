// SPDX-License-Identifier: Apache-2.0
// The colour of every body: by name, material, kind, speed, displacement, strain, stress or island, with the legend that explains it.
import type { Frame } from '../protocol/frame';
import { isHeld, type Model } from '../protocol/model';
import { BRIGHT_COLOURS, hashText, hexToLinear, KIND_COLOURS, linearTable, type MapName, type Rgb } from './colormap';
import { Islands } from './islands';
import { contactStress, equivalentStrain, vonMises } from './strain';
import { niceCeiling } from './units';

export const COLOURINGS = ['name', 'material', 'kind', 'speed', 'displacement', 'strain', 'stress', 'island'] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Legend {
  title: string;
  unit?: string;
  map?: MapName;
  range?: [number, number];
  entries?: { label: string; colour: string; count?: number }[];
  note?: string;
}

const HELD = '#9aa0a6';
const SCALARS: Record<string, { title: string; unit: string; note?: string }> = {
  speed: { title: 'Speed', unit: 'm/s' },
  displacement: { title: 'Displacement from start', unit: 'm' },
  strain: { title: 'Equivalent strain', unit: '', note: "√(2/3 E:E), Green's strain; grey: bodies that do not deform" },
  stress: { title: 'Mean stress from contacts', unit: 'Pa', note: 'von Mises of Σ f⊗r / V (Love–Weber); grey: no volume' },
};

export class BodyColours {
  readonly linear: Float32Array;
  readonly islands: Islands;
  legend: Legend = { title: '' };
  private by: Colouring = 'name';
  private readonly values: Float32Array;
  private readonly stress: Float32Array;
  private readonly table = linearTable('viridis');
  private readonly held: Float32Array;
  private start: Frame | null = null;
  private top = 0;
  /// A range given by a person; otherwise it grows with what has been seen.
  fixedTop: number | null = null;

  constructor(private readonly model: Model, private readonly volume: ArrayLike<number>) {
    const n = model.bodies.length;
    this.linear = new Float32Array(3 * n);
    this.values = new Float32Array(n);
    this.stress = new Float32Array(9 * n);
    this.held = Float32Array.from(hexToLinear(HELD));
    this.islands = new Islands(model);
    this.choose('name');
  }

  get colouring(): Colouring {
    return this.by;
  }
  /// True when colours change from frame to frame.
  get moving(): boolean {
    return this.by in SCALARS || this.by === 'island';
  }
  setStart(frame: Frame): void {
    this.start = frame;
  }

  choose(by: Colouring): void {
    this.by = by;
    this.top = 0;
    this.fixedTop = null;
    if (by in SCALARS) this.legend = { ...SCALARS[by], map: 'viridis', range: [0, 1] };
    else if (by === 'island') this.legend = { title: 'Islands', note: 'bodies joined by loaded contacts or joints' };
    else this.fillKinds();
  }

  /// Colours of this frame; false when nothing had to change.
  update(frame: Frame): boolean {
    if (!this.moving) return false;
    if (this.by === 'island') this.fillIslands(frame);
    else this.fillScalars(frame);
    return true;
  }

  private fillKinds(): void {
    const { bodies } = this.model;
    const label = (k: number) => {
      const body = bodies[k];
      if (this.by === 'material') return body.material || '(none)';
      if (this.by === 'kind') return body.shape >= 0 ? `${body.kind}, ${this.model.shapes[body.shape].kind}` : body.kind;
      return stem(body.name) || '(no name)';
    };
    const groups = new Map<string, { colour: string; count: number }>();
    const used = new Set<number>();
    bodies.forEach((body, k) => {
      const text = label(k);
      let group = groups.get(text);
      if (!group) {
        // A colour that belongs to the text, moved on when another group has it already.
        let at = hashText(text) % KIND_COLOURS.length;
        for (let tries = 0; used.has(at) && tries < KIND_COLOURS.length; tries++) at = (at + 1) % KIND_COLOURS.length;
        used.add(at);
        const held = this.by === 'name' && isHeld(body);
        groups.set(text, (group = { colour: held ? HELD : KIND_COLOURS[at], count: 0 }));
      }
      group.count++;
      // Neighbours of one group differ a little in lightness, so that they can be told apart.
      const shade = this.by === 'name' && !isHeld(body) ? 0.86 + (0.28 * ((hashText(body.name) >>> 8) & 255)) / 255 : 1;
      hexToLinear(group.colour).forEach((c, i) => (this.linear[3 * k + i] = Math.min(1, c * shade)));
    });
    const entries = [...groups].map(([text, group]) => ({ label: text, ...group })).sort((a, b) => b.count - a.count);
    const titles = { name: 'Bodies by name', material: 'Materials', kind: 'Kinds' } as Record<string, string>;
    this.legend = { title: titles[this.by], entries };
  }

  private fillIslands(frame: Frame): void {
    this.islands.update(frame);
    const sizes = new Int32Array(this.islands.count);
    const colours: Rgb[] = BRIGHT_COLOURS.map(hexToLinear);
    for (let k = 0; k < this.values.length; k++) {
      const island = this.islands.island[k];
      if (island >= 0) sizes[island]++;
      const colour = island < 0 ? this.held : colours[island % colours.length];
      for (let i = 0; i < 3; i++) this.linear[3 * k + i] = colour[i];
    }
    const order = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a]).slice(0, 8);
    this.legend = {
      title: `${this.islands.count} island${this.islands.count === 1 ? '' : 's'}`,
      entries: order.map((i) => ({ label: `island ${i + 1}`, colour: BRIGHT_COLOURS[i % BRIGHT_COLOURS.length], count: sizes[i] })),
      note: 'bodies joined by loaded contacts or joints',
    };
  }

  private fillScalars(frame: Frame): void {
    this.measure(frame);
    const { values, linear, table } = this;
    for (let k = 0; k < values.length; k++) if (values[k] > this.top) this.top = values[k];
    const top = this.fixedTop ?? niceCeiling(this.top);
    for (let k = 0; k < values.length; k++) {
      if (!(values[k] >= 0)) {
        for (let i = 0; i < 3; i++) linear[3 * k + i] = this.held[i];
        continue;
      }
      const at = 3 * Math.min(255, Math.floor((255.999 * values[k]) / top));
      for (let i = 0; i < 3; i++) linear[3 * k + i] = table[at + i];
    }
    this.legend.range = [0, top];
  }

  /// One number per body; negative: has none.
  private measure(frame: Frame): void {
    const { values } = this;
    const { f32 } = frame;
    if (this.by === 'speed') {
      for (let k = 0; k < values.length; k++) {
        const v = frame.velocity + 3 * k;
        values[k] = Math.sqrt(f32[v] ** 2 + f32[v + 1] ** 2 + f32[v + 2] ** 2);
      }
    } else if (this.by === 'displacement') {
      const start = this.start ?? frame;
      for (let k = 0; k < values.length; k++) {
        const [p, q] = [frame.position + 3 * k, start.position + 3 * k];
        values[k] = Math.sqrt((f32[p] - start.f32[q]) ** 2 + (f32[p + 1] - start.f32[q + 1]) ** 2 + (f32[p + 2] - start.f32[q + 2]) ** 2);
      }
    } else if (this.by === 'strain') {
      values.fill(-1);
      for (let d = 0; d < frame.nd; d++) values[frame.u32[frame.deformedBody + d]] = equivalentStrain(f32, frame.deformation + 9 * d);
    } else {
      contactStress(frame, this.volume, this.stress);
      for (let k = 0; k < values.length; k++) values[k] = this.volume[k] > 0 ? vonMises(this.stress, 9 * k) : -1;
    }
    for (let k = 0; k < values.length; k++) if (this.model.bodies[k].kind === 'fixed') values[k] = -1;  // what cannot move stays grey
  }
}

/// "brick 3 12" -> "brick": what the members of a repeated group have in common.
export function stem(name: string): string {
  return name.replace(/[\s_\-.:#]*\d[\d\s_\-.:#]*$/u, '').trim() || name.trim();
}
