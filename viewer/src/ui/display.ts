// SPDX-License-Identifier: Apache-2.0
// What is shown: colouring of bodies, layers of contacts, opacity, length of arrows.
import { COLOURINGS, type Colouring } from '../analysis/colouring';
import type { Layer } from '../scene/contacts';
import type { ViewState } from '../state';
import { el } from './dom';

const COLOUR_WORDS: Record<Colouring, string> = {
  name: 'name', material: 'material', kind: 'kind and shape', speed: 'speed', displacement: 'displacement from start',
  strain: 'strain (deforming bodies)', stress: 'mean stress from contacts', island: 'island',
};

export const LAYER_WORDS: [Layer, string, string][] = [
  ['points', 'Contacts', 'open, stick, slip, separating'],
  ['arrows', 'Force arrows', 'on the body that is held up'],
  ['cones', 'Cones', 'friction cones: half-angle atan µ about the normal'],
  ['chains', 'Force chains', 'centre to contact, width by force'],
  ['pressure', 'Pressure', 'normal force over contact area'],
  ['thrust', 'Line of thrust', 'resultants of neighbouring blocks joined'],
  ['penetration', 'Penetrations', 'contacts deeper than the limit'],
  ['joints', 'Joints', 'anchors and links'],
  ['edges', 'Edges', 'outlines of bodies'],
];

export class DisplayPanel {
  private readonly boxes = new Map<Layer, HTMLInputElement>();
  private readonly colour: HTMLSelectElement;

  constructor(box: HTMLElement, private readonly state: ViewState, available: { contacts: boolean; joints: boolean; deforms: boolean; edges: boolean }, private readonly changed: (what: 'layers' | 'colour' | 'opacity' | 'scale' | 'through') => void) {
    this.colour = el('select', { id: 'colour', onchange: () => this.setColour(this.colour.value as Colouring) },
      ...COLOURINGS.filter((c) => (c !== 'strain' || available.deforms) && (c !== 'stress' || available.contacts)).map((c) => el('option', { value: c }, COLOUR_WORDS[c])));
    const layers = el('div', { class: 'layers' });
    for (const [layer, label, hint] of LAYER_WORDS) {
      const possible = layer === 'joints' ? available.joints : layer === 'edges' ? available.edges : available.contacts;
      const input = el('input', { type: 'checkbox', id: `layer-${layer}`, disabled: !possible, onchange: () => this.setLayer(layer, input.checked) });
      this.boxes.set(layer, input);
      const why = layer === 'joints' ? 'this model has no joints' : layer === 'edges' ? 'too many bodies' : 'no contacts are recorded';
      layers.append(el('label', { class: possible ? 'check' : 'check off', title: possible ? hint : why }, input, el('span', {}, label)));
    }
    box.append(el('section', { class: 'panel' }, el('h2', {}, 'Display'),
      el('label', { class: 'field' }, el('span', {}, 'Colour bodies by'), this.colour), layers,
      slider('Bodies', 'opacity', 0.05, 1, 0.05, state.opacity, (v) => {
        state.opacity = v;
        changed('opacity');
      }, (v) => `${Math.round(100 * v)} %`),
      slider('Arrows', 'arrow-scale', -1, 1, 0.1, Math.log10(state.arrowScale), (v) => {
        state.arrowScale = 10 ** v;
        changed('scale');
      }, (v) => `${(10 ** v).toPrecision(2)}×`),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', id: 'through', checked: state.through, onchange: (event: Event) => {
        state.through = (event.target as HTMLInputElement).checked;
        changed('through');
      } }), el('span', {}, 'See contacts through bodies'))));
    this.refresh();
  }

  setLayer(layer: Layer, on: boolean): void {
    if (this.boxes.get(layer)?.disabled) return;
    if (on) this.state.layers.add(layer);
    else this.state.layers.delete(layer);
    this.refresh();
    this.changed('layers');
  }
  toggleLayer(layer: Layer): void {
    this.setLayer(layer, !this.state.layers.has(layer));
  }
  setColour(colour: Colouring): void {
    this.state.colour = colour;
    this.refresh();
    this.changed('colour');
  }
  nextColour(): void {
    const values = [...this.colour.options].map((o) => o.value as Colouring);
    this.setColour(values[(values.indexOf(this.state.colour) + 1) % values.length]);
  }

  private refresh(): void {
    for (const [layer, input] of this.boxes) input.checked = this.state.layers.has(layer) && !input.disabled;
    this.colour.value = this.state.colour;
  }
}

export function slider(label: string, id: string, min: number, max: number, step: number, value: number, change: (v: number) => void, text: (v: number) => string): HTMLElement {
  const output = el('output', {}, text(value));
  const input = el('input', { type: 'range', id, min, max, step, value: String(value), oninput: () => {
    output.textContent = text(Number(input.value));
    change(Number(input.value));
  } });
  return el('label', { class: 'field slide' }, el('span', {}, label), input, output);
}
