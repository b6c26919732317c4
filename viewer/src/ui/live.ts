// SPDX-License-Identifier: Apache-2.0
// Live mode: pause, step, reset, speed, the parameters of the model, and whether the computer keeps up.
import { compact, plain, withUnit } from '../analysis/units';
import type { LiveStatus, Parameter } from '../protocol/model';
import type { Command } from '../protocol/socket';
import { el, iconButton, setIcon } from './dom';

/// Looking back at what the page has kept of the run.
export interface LiveActions {
  look(time: number): void;
  step(places: number): void;
  present(): void;
}

export class LivePanel {
  private readonly playButton: HTMLButtonElement;
  private readonly readout = el('output', { class: 'readout', id: 'time' });
  private readonly budget = el('div', { class: 'budget' });
  private readonly parameters = el('div', { class: 'parameters' });
  private readonly slider: HTMLInputElement;
  private readonly speed: HTMLSelectElement;
  private readonly presentButton: HTMLButtonElement;
  private past: number | null = null;
  private status: LiveStatus | null = null;

  constructor(timeBox: HTMLElement, sideBox: HTMLElement, parameters: Parameter[], private readonly send: (command: Command) => void, private readonly actions: LiveActions) {
    this.playButton = iconButton('pause', 'Pause (space)', () => this.toggle(), { class: 'icon-button main', id: 'play' });
    const speed = this.speed = el('select', { id: 'speed', 'aria-label': 'Speed', title: 'Simulated over real time; max: as fast as it computes', onchange: () => send({ command: 'speed', factor: Number(speed.value) }) },
      ...[0.05, 0.1, 0.25, 0.5, 1, 2, 5, 0].map((s) => speedOption(s)));
    speed.value = '1';
    this.slider = el('input', { type: 'range', id: 'scrub', min: '0', max: '1', step: 'any', 'aria-label': 'Look back', title: 'Look back at the latest pictures; stops the run', oninput: () => actions.look(Number(this.slider.value)) });
    this.presentButton = el('button', { type: 'button', class: 'button', id: 'present', title: 'Back to the present (End)', hidden: true, onclick: () => actions.present() }, 'present');
    timeBox.append(el('div', { class: 'buttons' }, iconButton('back', 'One picture back (←)', () => actions.step(-1), { id: 'step-back' }), this.playButton, iconButton('forward', 'One step (→)', () => actions.step(1), { id: 'step-forward' }), iconButton('reset', 'Back to the start (R)', () => this.reset(), { id: 'reset' }), this.readout, this.presentButton), el('div', { class: 'track look-back' }, this.slider), this.budget,
      el('div', { class: 'buttons end' }, speed));
    const section = el('section', { class: 'panel' }, el('h2', {}, 'Parameters'), this.parameters);
    sideBox.prepend(section);
    this.setParameters(parameters);
  }

  toggle(): void {
    if (this.status?.paused) this.actions.present();
    this.send({ command: this.status?.paused ? 'play' : 'pause' });
  }
  /// A step of the run itself.
  compute(): void {
    if (!this.status?.paused) this.send({ command: 'pause' });
    this.send({ command: 'step' });
  }
  reset(): void {
    this.actions.present();
    this.send({ command: 'reset' });
  }

  /// What is kept of the run, and which moment of it is looked at (null: the present).
  showWindow(oldest: number, newest: number, past: number | null): void {
    [this.slider.min, this.slider.max] = [String(oldest), String(newest)];
    this.slider.value = String(past ?? newest);
    this.slider.disabled = !(newest > oldest);
    if (past === this.past) return;
    this.past = past;
    this.presentButton.hidden = past === null;
    this.drawReadout();
  }
  private drawReadout(): void {
    const { status, past } = this;
    if (past !== null) this.readout.textContent = `${past.toFixed(3)} s  ·  ${status ? `${Math.max(0, status.time - past).toFixed(3)} s ago` : 'past'}`;
    else if (status) this.readout.textContent = `${status.time.toFixed(3)} s  ·  step ${status.step}`;
  }

  setParameters(list: Parameter[]): void {
    if (!list.length) return this.parameters.replaceChildren(el('p', { class: 'hint' }, 'This model declares no parameters.'));
    // While somebody moves a slider, the server's echo must not pull it back.
    if (this.parameters.contains(document.activeElement) && this.parameters.childElementCount === list.length) return;
    this.parameters.replaceChildren(...list.map((p) => this.control(p)));
  }

  private control(p: Parameter): HTMLElement {
    const step = p.step ?? (p.max - p.min) / 200;
    const id = `parameter-${p.name.replace(/[^\w-]/g, '-')}`;
    const number = el('input', { type: 'number', class: 'parameter-number', min: p.min, max: p.max, step: 'any', value: compact(p.value, 5), 'aria-label': `${p.label} in ${p.unit || 'units'}`, onchange: () => set(Number(number.value)) });
    const range = el('input', { type: 'range', id, min: p.min, max: p.max, step, value: String(p.value), oninput: () => set(Number(range.value)) });
    const set = (value: number) => {
      range.value = String(value);
      number.value = compact(value, 5);
      this.send({ command: 'set', name: p.name, value });
    };
    return el('div', { class: 'parameter', 'data-name': p.name }, el('label', { for: id }, p.label, el('span', { class: 'unit' }, p.unit.replace('^2', '²'))), el('div', {}, range, number));
  }

  update(status: LiveStatus): void {
    this.status = status;
    setIcon(this.playButton, status.paused ? 'play' : 'pause', status.paused ? 'Go on (space)' : 'Pause (space)');
    if (status.speed !== undefined && document.activeElement !== this.speed && Number(this.speed.value) !== status.speed) {
      if (![...this.speed.options].some((o) => Number(o.value) === status.speed)) this.speed.append(speedOption(status.speed));
      this.speed.value = String(status.speed);
    }
    this.drawReadout();
    const load = status.budget ? status.seconds_per_step / status.budget : 0;
    const drag = status.drag ? `  ·  pull ${withUnit(Math.hypot(...(status.drag.force ?? [0, 0, 0])), 'N')}` : '';
    this.budget.replaceChildren(
      el('div', { class: load > 1 ? 'load over' : 'load', title: 'Computing time of a step over the time it may take' }, el('div', { style: `width:${Math.min(100, 100 * load)}%` })),
      el('span', {}, `${withUnit(status.seconds_per_step, 's')} of ${status.budget ? withUnit(status.budget, 's') : 'any time'} per step  ·  ${plain(status.real_time_factor, 3)}× real time  ·  ${status.contacts} contacts  ·  residual ${plain(status.residual, 2)}${drag}`));
  }
}

function speedOption(factor: number): HTMLOptionElement {
  return el('option', { value: String(factor) }, factor > 0 ? `${factor}×` : 'max');
}
