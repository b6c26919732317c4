// SPDX-License-Identifier: Apache-2.0
// The model as a list with search: bodies (grouped by the stem of their names), joints, materials.
import { stem } from '../analysis/colouring';
import type { Model } from '../protocol/model';
import type { Selection } from '../state';
import { el, icon } from './dom';

export interface TreeItem {
  kind: 'body' | 'joint';
  index: number;
  name: string;
}

const MOST_ROWS = 200;  // of one group; the search finds the others

/// Names that contain all words of the query, those that begin with it first.
export function searchItems(items: TreeItem[], query: string): TreeItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return items;
  const hits = items.filter((item) => words.every((word) => item.name.toLowerCase().includes(word)));
  const whole = query.trim().toLowerCase();
  const rank = (item: TreeItem) => (item.name.toLowerCase() === whole ? 0 : item.name.toLowerCase().startsWith(whole) ? 1 : 2);
  return hits.sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}

export class Tree {
  private readonly list = el('div', { class: 'tree', role: 'tree', 'aria-label': 'Model' });
  readonly search: HTMLInputElement;
  private readonly items: TreeItem[];
  private selected: Selection = null;

  constructor(box: HTMLElement, private readonly model: Model, private readonly select: (s: Selection) => void, private readonly hide: (body: number) => void, private readonly isHidden: (body: number) => boolean) {
    this.items = [
      ...model.bodies.map((body, index): TreeItem => ({ kind: 'body', index, name: body.name || `body ${index}` })),
      ...model.joints.map((joint, index): TreeItem => ({ kind: 'joint', index, name: joint.name || `joint ${index}` })),
    ];
    this.search = el('input', { type: 'search', id: 'search', placeholder: 'Search by name  ( / )', 'aria-label': 'Search bodies and joints by name', oninput: () => this.draw(), onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      const [first] = searchItems(this.items, this.search.value);
      if (first) this.select({ kind: first.kind, index: first.index });
    } });
    box.append(el('section', { class: 'panel grow' }, el('h2', {}, 'Model'), this.search, this.list));
    this.draw();
  }

  mark(selection: Selection): void {
    this.selected = selection;
    for (const row of this.list.querySelectorAll<HTMLElement>('[data-item]')) row.setAttribute('aria-selected', String(row.dataset.item === keyOf(selection)));
  }

  draw(): void {
    const query = this.search.value;
    if (query.trim()) {
      const hits = searchItems(this.items, query);
      this.list.replaceChildren(el('div', { class: 'hint' }, `${hits.length} found`), ...hits.slice(0, MOST_ROWS).map((item) => this.row(item)));
      return;
    }
    const bodies = this.items.filter((item) => item.kind === 'body');
    const joints = this.items.filter((item) => item.kind === 'joint');
    const materials = new Map<string, TreeItem[]>();
    for (const item of bodies) {
      const name = this.model.bodies[item.index].material || '(none)';
      const list = materials.get(name);
      if (list) list.push(item);
      else materials.set(name, [item]);
    }
    const groups = new Map<string, TreeItem[]>();
    for (const item of bodies) {
      const list = groups.get(stem(item.name));
      if (list) list.push(item);
      else groups.set(stem(item.name), [item]);
    }
    const bodyRows = [...groups].map(([name, list]) => (list.length === 1 ? this.row(list[0]) : this.group(name, list, false)));
    this.list.replaceChildren(
      this.branch('Bodies', bodies.length, bodyRows, true),
      joints.length ? this.branch('Joints', joints.length, joints.slice(0, MOST_ROWS).map((item) => this.row(item)), joints.length < 12) : '',
      this.branch('Materials', materials.size, [...materials].map(([name, list]) => this.group(name, list, false)), false));
  }

  private group(name: string, list: TreeItem[], open: boolean): HTMLElement {
    // Rows are made when the group is opened: a pile has fifty thousand.
    const details = el('details', { open }, el('summary', {}, name, el('span', { class: 'count' }, String(list.length))));
    const fill = () => {
      if (details.childElementCount > 1) return;
      details.append(...list.slice(0, MOST_ROWS).map((item) => this.row(item)));
      if (list.length > MOST_ROWS) details.append(el('div', { class: 'hint' }, `${list.length - MOST_ROWS} more: search by name`));
      this.mark(this.selected);
    };
    details.addEventListener('toggle', () => details.open && fill());
    if (open) fill();
    return details;
  }

  private branch(name: string, count: number, rows: (HTMLElement | string)[], open: boolean): HTMLElement {
    return el('details', { class: 'branch', open }, el('summary', {}, name, el('span', { class: 'count' }, String(count))), ...rows);
  }

  private row(item: TreeItem): HTMLElement {
    const info = item.kind === 'body' ? this.model.bodies[item.index].kind : this.model.joints[item.index].type;
    const eye = item.kind === 'body' && this.model.bodies[item.index].shape >= 0
      ? el('button', { type: 'button', class: 'icon-button small eye', 'aria-label': `Show or hide ${item.name}`, 'aria-pressed': String(!this.isHidden(item.index)), onclick: (event: Event) => {
          this.hide(item.index);
          (event.currentTarget as HTMLElement).setAttribute('aria-pressed', String(!this.isHidden(item.index)));
        } }, icon('eye')) : null;
    const selection: Selection = { kind: item.kind, index: item.index };
    return el('div', { class: 'item', role: 'treeitem', 'data-item': keyOf(selection), 'aria-selected': String(keyOf(selection) === keyOf(this.selected)) },
      el('button', { type: 'button', class: 'name', onclick: () => this.select(selection) }, el('span', {}, item.name), el('span', { class: 'kind' }, info)), eye);
  }
}

function keyOf(selection: Selection): string {
  return selection ? `${selection.kind}:${selection.index}` : '';
}
