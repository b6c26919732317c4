// SPDX-License-Identifier: Apache-2.0
// The plots beside the picture: a menu of what can be plotted and the plots that were chosen.
import type { Model } from '../protocol/model';
import type { Selection } from '../state';
import { el } from '../ui/dom';
import { Plot } from './plot';
import { offered, quantity } from './quantities';
import type { SeriesSource } from './source';

export const DEFAULT_PLOTS = ['energy', 'residual', 'penetration', 'iterations', 'rtf'];

export class PlotPanel {
  private readonly list = el('div', { class: 'plots' });
  private readonly menu: HTMLSelectElement;
  readonly plots: Plot[] = [];
  private drawnTime = NaN;

  constructor(box: HTMLElement, private readonly model: Model, readonly source: SeriesSource, readonly time: () => number, readonly seek: (t: number) => void, private readonly changed: () => void) {
    this.menu = el('select', { id: 'add-plot', 'aria-label': 'Add a plot', onchange: () => {
      if (this.menu.value) this.add(this.menu.value);
      this.menu.value = '';
    } });
    box.append(el('section', { class: 'panel grow' }, el('div', { class: 'head' }, el('h2', {}, 'Plots'), this.menu), this.list));
    this.offer(null, null);
  }

  /// The menu follows the selection.
  offer(selected: Selection, pair: [number, number] | null): void {
    const groups = offered(this.model, selected, pair);
    this.menu.replaceChildren(el('option', { value: '' }, 'Add a plot …'), ...groups.map(({ group, ids }) => {
      const options = el('optgroup', { label: group });
      for (const id of ids) {
        const q = quantity(this.model, id);
        if (q) options.append(el('option', { value: id }, q.title));
      }
      return options;
    }));
    this.menu.value = '';
  }

  /// A new plot stands on top; one that is there already is brought into sight. False when there is no such quantity.
  add(id: string, where: 'top' | 'end' = 'top'): boolean {
    const there = this.plots.find((plot) => plot.quantity.id === id);
    if (there) {
      there.element.scrollIntoView({ block: 'nearest' });
      return true;
    }
    const q = quantity(this.model, id);
    if (!q) return false;
    const plot = new Plot(q, this);
    if (where === 'top') {
      this.plots.unshift(plot);
      this.list.prepend(plot.element);
    } else {
      this.plots.push(plot);
      this.list.append(plot.element);
    }
    void plot.load();
    this.changed();
    return true;
  }

  remove(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.destroy();
    this.changed();
  }

  async reload(): Promise<void> {
    await Promise.all(this.plots.map((plot) => plot.load()));
  }

  /// Done when all plots are drawn.
  async settled(): Promise<void> {
    await Promise.all(this.plots.map((plot) => plot.loading));
  }

  update(): void {
    const now = this.time();
    if (now === this.drawnTime) return;
    this.drawnTime = now;
    for (const plot of this.plots) plot.cursorMoved();
  }
  get ids(): string[] {
    return this.plots.map((plot) => plot.quantity.id);
  }
}
