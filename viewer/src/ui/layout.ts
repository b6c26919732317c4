// SPDX-License-Identifier: Apache-2.0
// The rooms of the page: bar, display and model on the left, picture, numbers and plots on the right, time below.
// In a narrow window the picture stands on top and the side panels become tabs below it.
import { el, icon } from './dom';

export interface Layout {
  root: HTMLElement;
  bar: HTMLElement;
  left: HTMLElement;
  right: HTMLElement;
  view: HTMLElement;
  canvas: HTMLCanvasElement;
  tools: HTMLElement;
  legend: HTMLElement;
  notices: HTMLElement;
  cover: HTMLElement;
  time: HTMLElement;
  status: HTMLElement;
  togglePanel(side: 'left' | 'right'): void;
}

export function makeLayout(root: HTMLElement): Layout {
  const canvas = el('canvas', { id: 'canvas', tabindex: '0', 'aria-label': 'The scene. Drag to turn, right-drag to pan, wheel to zoom, click to select.' });
  const tools = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'View' });
  const legend = el('div', { class: 'legend', 'aria-live': 'off' });
  const notices = el('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  const status = el('div', { class: 'live-status' });
  const cover = el('div', { class: 'cover' });
  const view = el('section', { class: 'view', 'aria-label': 'Picture' }, canvas, tools, legend, status, notices, cover);
  const bar = el('header', { class: 'bar' });
  const left = el('aside', { class: 'side left', 'aria-label': 'Display and model' });
  const right = el('aside', { class: 'side right', 'aria-label': 'Numbers and plots' });
  const time = el('footer', { class: 'time', 'aria-label': 'Time' });
  const tabs = el('nav', { class: 'tabs', 'aria-label': 'Panels' });
  const app = el('div', { class: 'app', 'data-tab': 'right' }, bar, left, view, right, time, tabs);
  for (const [tab, text] of [['right', 'Numbers & plots'], ['left', 'Display & model']]) {
    tabs.append(el('button', { type: 'button', 'data-tab': tab, 'aria-pressed': tab === 'right' ? 'true' : 'false', onclick: () => choose(tab) }, text));
  }
  const choose = (tab: string) => {
    app.dataset.tab = tab;
    for (const button of tabs.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.tab === tab));
  };
  root.replaceChildren(app);
  const togglePanel = (side: 'left' | 'right') => app.classList.toggle(`no-${side}`);
  return { root: app, bar, left, right, view, canvas, tools, legend, notices, cover, time, status, togglePanel };
}

/// Covers the picture with what is going on: loading, nothing there, an error in words.
export function showCover(cover: HTMLElement, kind: 'loading' | 'empty' | 'error' | 'none', title = '', text = '', retry?: () => void): void {
  cover.className = `cover ${kind}`;
  cover.hidden = kind === 'none';
  if (kind === 'none') return cover.replaceChildren();
  cover.replaceChildren(
    el('div', { class: 'card', role: kind === 'error' ? 'alert' : 'status' },
      el('div', { class: kind === 'loading' ? 'emblem turning' : 'emblem' }, icon('stones')),
      el('h2', {}, title), text ? el('p', {}, text) : null,
      retry ? el('button', { type: 'button', class: 'button', onclick: retry }, 'Try again') : null));
}

/// One line above the picture per kind of trouble; empty text takes it away.
export class Notices {
  private lines = new Map<string, HTMLElement>();
  constructor(private readonly box: HTMLElement) {}

  set(key: string, text: string, kind: 'info' | 'warning' | 'error' = 'warning', action?: { label: string; run: () => void }): void {
    const old = this.lines.get(key);
    if (!text) {
      old?.remove();
      this.lines.delete(key);
      return;
    }
    if (old?.dataset.text === text) return;
    const line = el('div', { class: `notice ${kind}`, 'data-key': key, 'data-text': text }, el('span', {}, text),
      action ? el('button', { type: 'button', class: 'link', onclick: action.run }, action.label) : null,
      el('button', { type: 'button', class: 'icon-button small', 'aria-label': 'Dismiss', onclick: () => this.set(key, '') }, icon('close')));
    if (old) old.replaceWith(line);
    else this.box.append(line);
    this.lines.set(key, line);
  }
  /// For a few seconds.
  flash(text: string): void {
    this.set('flash', text, 'info');
    setTimeout(() => this.lines.get('flash')?.dataset.text === text && this.set('flash', ''), 2500);
  }
}
