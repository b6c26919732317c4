// SPDX-License-Identifier: Apache-2.0
// The numbers of what is selected, from the server in full precision, with units.
import { compact, plain, withUnit } from '../analysis/units';
import { detailOf } from '../analysis/details';
import type { Client } from '../protocol/client';
import type { Frame } from '../protocol/frame';
import { bodyName, type Model } from '../protocol/model';
import type { Selection } from '../state';
import { el } from './dom';

export interface InspectorActions {
  select(selection: Selection): void;
  follow(on: boolean): void;
  fit(): void;
  plot(id: string): void;
  isFollowing(): boolean;
}

type Numbers = Record<string, unknown>;
const VECTOR_UNITS: Record<string, [string, string]> = {
  position: ['Position', 'm'], velocity: ['Velocity', 'm/s'], angular_velocity: ['Angular velocity', 'rad/s'], contact_force: ['Contact force', 'N'],
  force: ['Force', 'N'], torque: ['Torque', 'N m'], point: ['Point', 'm'], pull_force: ['Pulled with', 'N'], pull_point: ['at (own axes)', 'm'], pull_target: ['towards', 'm'], normal: ['Normal', ''], orientation: ['Orientation', ''],
};

export class Inspector {
  private readonly box = el('section', { class: 'panel inspector', id: 'inspector' });
  private selection: Selection = null;
  private frame = -1;
  private asked = 0;
  private lastAsk = 0;
  private kept = false;

  constructor(parent: HTMLElement, private readonly model: Model, private readonly client: Client, private readonly actions: InspectorActions) {
    parent.append(this.box);
    this.drawEmpty();
  }

  /// Shows the numbers of this frame; while playing at most five times a second.
  /// With `kept` (a frame of the page's own) nobody is asked.
  async update(selection: Selection, frame: number, playing: boolean, kept: Frame | null = null): Promise<void> {
    const same = selection?.kind === this.selection?.kind && selection?.index === this.selection?.index;
    if (same && frame === this.frame) return;
    if (same && playing && performance.now() - this.lastAsk < 200) return;
    this.selection = selection ? { ...selection } : null;
    this.frame = frame;
    if (!selection) return this.drawEmpty();
    this.lastAsk = performance.now();
    const ticket = ++this.asked;
    this.kept = kept !== null;
    try {
      const numbers = kept ? detailOf(this.model, kept, selection.kind, selection.index) : await this.client.detail(selection.kind, frame, selection.index);
      if (ticket === this.asked) this.draw(numbers);
    } catch (problem) {
      if (ticket !== this.asked) return;
      this.frame = -1;  // asked again when something moves
      this.box.replaceChildren(this.head(), el('p', { class: 'hint error' }, (problem as Error).message));
    }
  }
  refresh(): void {
    this.frame = -1;
  }

  private drawEmpty(): void {
    const { model } = this;
    const fact = (label: string, value: string) => el('tr', {}, el('th', {}, label), el('td', {}, value));
    this.box.replaceChildren(el('h2', {}, 'Model'), el('table', { class: 'facts' },
      fact('bodies', String(model.bodies.length)), fact('joints', String(model.joints.length)), fact('step', withUnit(model.step, 's')),
      fact('stepper', model.stepper), fact('solver', model.solver), fact('gravity', `${model.gravity.map((g) => plain(g, 3)).join(', ')} m/s²`)),
      el('p', { class: 'hint' }, 'Click a body, joint or contact for its numbers.'));
  }

  private head(): HTMLElement {
    const s = this.selection!;
    const name = s.kind === 'body' ? bodyName(this.model, s.index) : s.kind === 'joint' ? this.model.joints[s.index]?.name || `joint ${s.index}` : `contact ${s.index}`;
    return el('div', { class: 'head' }, el('span', { class: 'tag' }, s.kind), el('h2', { id: 'selected-name' }, name),
      el('button', { type: 'button', class: 'link', onclick: () => this.actions.select(null) }, 'clear'));
  }

  private draw(numbers: Numbers): void {
    const s = this.selection!;
    const rows = s.kind === 'body' ? this.bodyRows(numbers) : s.kind === 'joint' ? this.jointRows(numbers) : this.contactRows(numbers);
    const laws = s.kind === 'joint' ? this.laws(numbers) : '';
    const note = this.kept ? el('p', { class: 'hint' }, 'Of a kept picture, in single precision.') : '';
    this.box.replaceChildren(this.head(), el('table', { class: 'numbers' }, ...rows), laws, note, this.buttons(numbers));
  }

  private bodyRows(n: Numbers): HTMLElement[] {
    const body = this.model.bodies[this.selection!.index];
    const shape = body.shape >= 0 ? this.model.shapes[body.shape] : null;
    const rows = [text('Kind', [body.kind, shape?.kind, body.material].filter(Boolean).join(' · ')), text('Mass', body.mass === null ? '∞ (held)' : `${compact(body.mass)} kg`)];
    for (const key of ['position', 'orientation', 'velocity', 'angular_velocity']) rows.push(vector(key, n[key]));
    rows.push(scalar('speed', 'Speed', size(n.velocity), 'm/s'), scalar('kinetic_energy', 'Kinetic energy', n.kinetic_energy, 'J'));
    rows.push(vector('contact_force', n.contact_force), text('Contacts', String(n.contacts ?? '–')));
    const pull = n.pull as { point: number[]; target: number[]; force: number[] } | null | undefined;
    if (pull) rows.push(vector('pull_force', pull.force), scalar('pull_size', 'Pull, size', size(pull.force), 'N'), vector('pull_point', pull.point), vector('pull_target', pull.target));
    if (Array.isArray(n.deformation)) for (let i = 0; i < 3; i++) rows.push(numbersRow(`deformation-${i}`, i === 0 ? 'Deformation A' : '', (n.deformation as number[]).flat().slice(3 * i, 3 * i + 3), ''));
    return rows;
  }

  private jointRows(n: Numbers): HTMLElement[] {
    const joint = this.model.joints[this.selection!.index];
    const rows = [text('Type', joint.type), this.link('Between', joint.body_a), this.link('and', joint.body_b), vector('force', n.force), scalar('force_size', 'Force, size', size(n.force), 'N'), vector('torque', n.torque), scalar('torque_size', 'Torque, size', size(n.torque), 'N m')];
    const listed = (value: unknown, unit: string, units: string[] = []) => {
      if (!Array.isArray(value)) return;
      value.forEach((entry, k) => {
        const e = entry as { name?: string; value?: number; force?: number; unit?: string };
        const number = typeof entry === 'number' ? entry : e.value ?? e.force;
        rows.push(scalar(`value-${rows.length}`, e.name ?? `coordinate ${k + 1}`, number, e.unit ?? units[k] ?? unit));
      });
    };
    listed(n.coordinates, '', this.model.coordinates.filter((c) => c.joint === this.selection!.index).map((c) => c.unit));
    return rows;
  }

  /// A recording does not tell which laws act on which joint: all are there, but not in the way.
  private laws(n: Numbers): HTMLElement | string {
    const list = (n.laws as { name: string; force: number }[] | undefined) ?? [];
    if (!list.length) return '';
    const open = this.box.querySelector<HTMLDetailsElement>('details.laws')?.open ?? false;
    return el('details', { class: 'laws', open }, el('summary', {}, `Motors, limits, friction: all ${list.length} of the model`),
      el('table', { class: 'numbers' }, ...list.map((law, k) => scalar(`law-${k}`, law.name, law.force, 'N, N m'))));
  }

  private contactRows(n: Numbers): HTMLElement[] {
    const bodies = (n.bodies as number[]) ?? [-1, -1];
    const [force, normal] = [n.force as number[], n.normal as number[]];
    const pressed = force && normal ? force.reduce((sum, f, k) => sum + f * normal[k], 0) : NaN;
    const sideways = Math.sqrt(Math.max(0, (size(force) ?? 0) ** 2 - pressed ** 2));
    const rows = [this.link('On', bodies[0]), this.link('by', bodies[1]), text('State', String(n.state ?? '–')), scalar('gap', 'Gap', n.gap, 'm'), vector('point', n.point), vector('normal', n.normal), vector('force', n.force),
      scalar('normal_force', 'Normal force', pressed, 'N'), scalar('friction_force', 'Friction force', sideways, 'N')];
    const friction = n.friction as number | null;
    if (friction) rows.push(scalar('friction', 'Friction µ', friction, ''), scalar('used', 'Used of the cone', pressed > 0 ? (100 * sideways) / (friction * pressed) : 0, '%'));
    const area = n.area as number | null;
    if (area) rows.push(scalar('area', 'Area', area, 'm²'), scalar('pressure', 'Pressure', pressed / area, 'Pa'));
    return rows;
  }

  private link(label: string, body: number): HTMLElement {
    const name = bodyName(this.model, body);
    return el('tr', {}, el('th', {}, label), el('td', { colspan: '4' }, body < 0 ? name : el('button', { type: 'button', class: 'link', onclick: () => this.actions.select({ kind: 'body', index: body }) }, name)));
  }

  private buttons(n: Numbers): HTMLElement {
    const s = this.selection!;
    const plot = (id: string, label: string) => el('button', { type: 'button', class: 'button', onclick: () => this.actions.plot(id) }, label);
    const list: HTMLElement[] = [];
    if (s.kind === 'body') {
      const following = this.actions.isFollowing();
      list.push(el('button', { type: 'button', class: 'button', id: 'follow', 'aria-pressed': String(following), onclick: (event: Event) => {
        this.actions.follow(!this.actions.isFollowing());
        (event.currentTarget as HTMLElement).setAttribute('aria-pressed', String(this.actions.isFollowing()));
      } }, 'Follow'), el('button', { type: 'button', class: 'button', onclick: () => this.actions.fit() }, 'Fit'),
      plot(`body:${s.index}:position`, 'Plot position'), plot(`body:${s.index}:velocity`, 'Plot velocity'));
    } else if (s.kind === 'joint') {
      list.push(plot(`joint:${s.index}:reaction`, 'Plot reaction'));
      this.model.coordinates.forEach((c, k) => c.joint === s.index && list.push(plot(`coordinate:${k}`, `Plot ${c.name}`)));
    } else {
      const [a, b] = (n.bodies as number[]) ?? [-1, -1];
      list.push(plot(`pair:${a}:${b}`, 'Plot force of the pair'));
    }
    return el('div', { class: 'button-row' }, ...list);
  }
}

/// Three of them fit side by side.
function tight(v: number): string {
  const text = compact(v, 4);
  return text.includes('e') ? compact(v, 2) : text;
}
function size(value: unknown): number | null {
  return Array.isArray(value) ? Math.hypot(...(value as number[])) : null;
}
function text(label: string, value: string): HTMLElement {
  return el('tr', {}, el('th', {}, label), el('td', { colspan: '4' }, value));
}
function scalar(key: string, label: string, value: unknown, unit: string): HTMLElement {
  return el('tr', { 'data-key': key }, el('th', {}, label), el('td', { colspan: '3', class: 'number', 'data-value': String(value) }, typeof value === 'number' ? compact(value) : '–'), el('td', { class: 'unit' }, unit));
}
function vector(key: string, value: unknown): HTMLElement {
  const [label, unit] = VECTOR_UNITS[key] ?? [key, ''];
  return numbersRow(key, label, Array.isArray(value) ? (value as number[]) : [], unit);
}
function numbersRow(key: string, label: string, values: number[], unit: string): HTMLElement {
  const cell = (tag: 'td' | 'span', v: number) => el(tag, { class: 'number', 'data-value': String(v), title: String(v) }, tight(v));
  if (values.length > 3) return el('tr', { 'data-key': key }, el('th', {}, label), el('td', { colspan: '4' }, el('div', { class: 'four' }, ...values.map((v) => cell('span', v)))));
  return el('tr', { 'data-key': key }, el('th', {}, label), ...values.map((v) => cell('td', v)), el('td', { class: 'unit' }, unit));
}
