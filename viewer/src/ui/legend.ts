// SPDX-License-Identifier: Apache-2.0
// What the colours mean, with units: of the bodies and of every contact layer that is on.
import type { BodyColours, Legend } from '../analysis/colouring';
import { cssColour, mapColour, type MapName } from '../analysis/colormap';
import { STATE_WORDS } from '../analysis/contacts';
import { withUnit } from '../analysis/units';
import { ARROW_COLOUR, STATE_COLOURS, THRUST_COLOUR, WARNING_COLOUR, type ContactScales, type Layer } from '../scene/contacts';
import { JOINT_COLOUR } from '../scene/joints';
import { PULL_COLOUR } from '../scene/pull';
import { el } from './dom';

const MOST_ENTRIES = 5;

export class LegendView {
  private key = '';
  constructor(private readonly box: HTMLElement, private readonly onRange: (top: number | null) => void) {}

  /// `pull`: who is pulled and with how many newtons; null: nobody.
  update(colours: BodyColours, layers: ReadonlySet<Layer>, scales: ContactScales | null, pull: { name: string; force: number } | null): void {
    const legend = colours.legend;
    const key = JSON.stringify([legend, [...layers], scales, colours.fixedTop, pull]);
    if (key === this.key) return;
    this.key = key;
    const parts: HTMLElement[] = [];
    if (legend.map) parts.push(this.scale(legend, colours.fixedTop));
    else if (legend.entries && (legend.entries.length > 1 || colours.colouring !== 'name')) parts.push(list(legend));
    if (scales) parts.push(...contactParts(layers, scales));
    if (layers.has('joints')) parts.push(el('div', { class: 'block' }, row(JOINT_COLOUR, 'joints')));
    if (pull) parts.push(el('div', { class: 'block pull' }, row(PULL_COLOUR, `${pull.name} is pulled with ${withUnit(pull.force, 'N')}`, 'arrow')));
    this.box.replaceChildren(...parts);
    this.box.hidden = parts.length === 0;
  }

  private scale(legend: Legend, fixedTop: number | null): HTMLElement {
    const [low, high] = legend.range ?? [0, 1];
    const input = el('input', { type: 'number', class: 'range-top', step: 'any', min: '0', value: fixedTop ?? '', placeholder: 'auto', 'aria-label': `Upper end of ${legend.title} in ${legend.unit || 'units'}; empty: from the data`, title: 'Upper end; empty: from the data',
      onchange: () => this.onRange(Number(input.value) > 0 ? Number(input.value) : null) });
    return el('div', { class: 'block' }, el('div', { class: 'title' }, legend.title, el('span', { class: 'top' }, 'max ', input)), ramp(legend.map!, low, high, legend.unit ?? ''), legend.note ? el('div', { class: 'note' }, legend.note) : null);
  }
}

function contactParts(layers: ReadonlySet<Layer>, scales: ContactScales): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (layers.has('points') || layers.has('cones')) {
    parts.push(el('div', { class: 'block' }, el('div', { class: 'title' }, layers.has('cones') ? 'Contacts and friction cones' : 'Contacts'), el('div', { class: 'states' }, ...STATE_WORDS.map((word, k) => row(STATE_COLOURS[k], word)))));
  }
  if (layers.has('chains')) parts.push(el('div', { class: 'block' }, el('div', { class: 'title' }, 'Force chains'), ramp('inferno', 0, scales.force, 'N')));
  if (layers.has('pressure')) {
    parts.push(el('div', { class: 'block' }, el('div', { class: 'title' }, 'Contact pressure'), scales.pressure > 0 ? ramp('inferno', 0, scales.pressure, 'Pa') : el('div', { class: 'note' }, 'no areas are recorded')));
  }
  const rows: HTMLElement[] = [];
  if (layers.has('arrows') && scales.force > 0) rows.push(row(ARROW_COLOUR, `force, full length ${withUnit(scales.force, 'N')}`, 'arrow'));
  if (layers.has('thrust')) rows.push(row(THRUST_COLOUR, scales.thrust > 0 ? `line of thrust, most ${withUnit(scales.thrust, 'N')}` : 'line of thrust: no block pressed at two faces', 'line'));
  if (layers.has('penetration') && scales.deep > 0) rows.push(row(WARNING_COLOUR, `${scales.deep} deeper than ${withUnit(scales.penetration, 'm')}`));
  if (rows.length) parts.push(el('div', { class: 'block' }, ...rows));
  return parts;
}

function list(legend: Legend): HTMLElement {
  const entries = legend.entries ?? [];
  const more = entries.length - MOST_ENTRIES;
  return el('div', { class: 'block kinds' }, el('div', { class: 'title' }, legend.title),
    ...entries.slice(0, MOST_ENTRIES).map((e) => row(e.colour, e.label, 'square', e.count)),
    more > 0 ? el('div', { class: 'note' }, `and ${more} more`) : null, legend.note ? el('div', { class: 'note' }, legend.note) : null);
}

function row(colour: string, label: string, mark = 'dot', count?: number): HTMLElement {
  return el('div', { class: 'row' }, el('span', { class: `mark ${mark}`, style: `--c:${colour}` }), el('span', { class: 'label' }, label), count !== undefined && count > 1 ? el('span', { class: 'count' }, String(count)) : null);
}

function ramp(map: MapName, low: number, high: number, unit: string): HTMLElement {
  const stops = Array.from({ length: 11 }, (_, k) => cssColour(mapColour(map, k / 10))).join(',');
  return el('div', { class: 'ramp' }, el('div', { class: 'bar', style: `background:linear-gradient(90deg,${stops})` }),
    el('div', { class: 'ends' }, el('span', {}, withUnit(low, unit)), el('span', {}, withUnit((low + high) / 2, unit)), el('span', {}, withUnit(high, unit))));
}
