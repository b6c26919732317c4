// SPDX-License-Identifier: Apache-2.0
// Time: play, step, scrub, speed, loop, jump to events; marks of events under the slider.
import { timeText } from '../analysis/units';
import type { RunEvent } from '../protocol/model';
import { SPEEDS, type Clock } from '../time/clock';
import { EVENT_KINDS, eventDensity, findEvent } from '../time/events';
import { el, iconButton, setIcon } from './dom';

export const EVENT_COLOURS: Record<string, string> = { impact: '#3f7fd0', 'stick-slip': '#f0a202', separation: '#4db6ac', switch: '#8a63d2', alarm: '#e5263a' };

export interface TimelineActions {
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  changed(): void;
}

export class Timeline {
  private readonly playButton: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly marks: HTMLCanvasElement;
  private readonly readout: HTMLElement;
  private readonly speed: HTMLSelectElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly kinds: HTMLSelectElement;
  private readonly eventText: HTMLElement;
  events: RunEvent[] = [];
  private shown = '';

  constructor(box: HTMLElement, private readonly clock: Clock, private readonly interval: number, private readonly actions: TimelineActions) {
    this.playButton = iconButton('play', 'Play (space)', () => actions.toggle(), { class: 'icon-button main', id: 'play' });
    this.slider = el('input', { type: 'range', id: 'scrub', min: '0', max: '1', step: 'any', 'aria-label': 'Time', oninput: () => actions.seek(Number(this.slider.value)) });
    this.marks = el('canvas', { class: 'marks', 'aria-hidden': 'true' });
    this.readout = el('output', { class: 'readout', id: 'time' });
    this.speed = el('select', { id: 'speed', 'aria-label': 'Speed', title: 'Speed (+ and -)', onchange: () => {
      clock.speed = Number(this.speed.value);
      actions.changed();
    } }, ...SPEEDS.map((s) => el('option', { value: String(s) }, `${s}×`)));
    this.loopButton = iconButton('loop', 'Loop (L)', () => this.toggleLoop(), { id: 'loop' });
    this.kinds = el('select', { id: 'event-kind', 'aria-label': 'Kind of events to jump to', title: 'Events to jump to' }, el('option', { value: '' }, 'all events'), ...EVENT_KINDS.map((k) => el('option', { value: k }, k)));
    this.eventText = el('span', { class: 'event-text' });
    box.append(
      el('div', { class: 'buttons' },
        iconButton('back', 'One frame back (←)', () => actions.step(-1), { id: 'step-back' }), this.playButton, iconButton('forward', 'One frame on (→)', () => actions.step(1), { id: 'step-forward' }),
        this.readout),
      el('div', { class: 'track' }, this.slider, this.marks),
      el('div', { class: 'buttons end' },
        iconButton('previousEvent', 'Previous event (P)', () => this.jump(-1), { id: 'previous-event' }), iconButton('nextEvent', 'Next event (N)', () => this.jump(1), { id: 'next-event' }),
        this.kinds, this.eventText, this.speed, this.loopButton));
    new ResizeObserver(() => this.drawMarks()).observe(this.marks);
    this.toggleLoop(clock.loop);
  }

  toggleLoop(on = !this.clock.loop): void {
    this.clock.loop = on;
    this.loopButton.setAttribute('aria-pressed', String(on));
  }

  jump(direction: number): void {
    const kinds = this.kinds.value ? new Set([this.kinds.value]) : null;
    const event = findEvent(this.events, this.clock.time, direction, kinds, 1e-9 + 0.5 * this.shortest());
    if (!event) {
      this.eventText.textContent = this.events.length ? `no ${this.kinds.value || 'event'} ${direction > 0 ? 'after' : 'before'} this` : 'no events';
      return;
    }
    this.actions.seek(event.time);
    this.eventText.textContent = event.text;
    this.eventText.title = event.text;
  }

  /// Half of it is the distance within which an event is "here": times of events need not be those of frames.
  private shortest(): number {
    return Math.min(this.interval || 1e-6, 1e-3);
  }

  /// `until`: they are looked for up to this time only, so far; null: all are known.
  setEvents(events: RunEvent[], until: number | null = null): void {
    this.events = events;
    this.eventText.textContent = until === null ? '' : `events until ${timeText(until, this.interval)} …`;
    this.drawMarks();
  }

  update(buffering: boolean): void {
    const { clock } = this;
    setIcon(this.playButton, clock.playing ? 'pause' : 'play', clock.playing ? 'Pause (space)' : 'Play (space)');
    this.playButton.classList.toggle('busy', buffering);
    const range = `${clock.start} ${clock.end}`;
    if (range !== this.shown) {
      this.shown = range;
      [this.slider.min, this.slider.max] = [String(clock.start), String(clock.end)];
      this.drawMarks();
    }
    if (document.activeElement !== this.slider || Number(this.slider.value) !== clock.time) this.slider.value = String(clock.time);
    const text = `${timeText(clock.time, this.interval)}  ·  frame ${clock.frame + 1} of ${clock.times.length}${clock.growing ? ' …' : ''}`;
    if (this.readout.textContent !== text) this.readout.textContent = text;
    if (Number(this.speed.value) !== clock.speed) {
      if (![...this.speed.options].some((o) => Number(o.value) === clock.speed)) this.speed.append(el('option', { value: String(clock.speed) }, `${clock.speed}×`));
      this.speed.value = String(clock.speed);
    }
  }

  private drawMarks(): void {
    const { clientWidth: width, clientHeight: height } = this.marks;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    [this.marks.width, this.marks.height] = [width * ratio, height * ratio];
    const pen = this.marks.getContext('2d')!;
    pen.scale(ratio, ratio);
    const inset = 8;  // the slider's thumb does not reach its ends
    const columns = Math.max(1, Math.floor((width - 2 * inset) / 2));
    const density = eventDensity(this.events, this.clock.start, this.clock.end, columns);
    [...EVENT_KINDS].forEach((kind, row) => {
      const counts = density.get(kind);
      if (!counts) return;
      pen.fillStyle = EVENT_COLOURS[kind];
      counts.forEach((count, i) => {
        if (!count) return;
        pen.globalAlpha = Math.min(1, 0.55 + 0.15 * count);
        if (kind === 'alarm') pen.fillRect(inset + 2 * i, 0, 2, height);
        else pen.fillRect(inset + 2 * i, row * (height / 4), 2, height / 4);
      });
    });
  }
}
