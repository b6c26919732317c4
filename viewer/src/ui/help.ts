// SPDX-License-Identifier: Apache-2.0
// Keys: one table that both the keyboard handler and the help dialog are made from.
import { el, iconButton } from './dom';

export interface Shortcut {
  keys: string[];       ///< as KeyboardEvent.key; letters in lower case; "Shift+" in front where needed
  text: string;
  group: string;
  run(): void;
}

export class Shortcuts {
  private readonly byKey = new Map<string, Shortcut>();
  private readonly dialog: HTMLDialogElement;

  constructor(readonly list: Shortcut[]) {
    for (const shortcut of list) for (const key of shortcut.keys) this.byKey.set(key, shortcut);
    this.dialog = this.makeDialog();
    document.body.append(this.dialog);
    window.addEventListener('keydown', (event) => this.handle(event));
  }

  show(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  private handle(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLInputElement && !['checkbox', 'range'].includes(target.type);
    if (typing && event.key === 'Escape') return target.blur();
    if (typing || target instanceof HTMLTextAreaElement) return;
    const ownKeys = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'range');
    if (ownKeys && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if ((target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' || target instanceof HTMLInputElement) && (event.key === ' ' || event.key === 'Enter')) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shortcut = (event.shiftKey && this.byKey.get(`Shift+${name}`)) || this.byKey.get(name);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  }

  private makeDialog(): HTMLDialogElement {
    const groups = new Map<string, Shortcut[]>();
    for (const shortcut of this.list) groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
    const dialog = el('dialog', { class: 'help', 'aria-label': 'Help' });
    const close = () => dialog.close();
    dialog.append(el('div', { class: 'help-head' }, el('h2', {}, 'Keys and mouse'), iconButton('close', 'Close', close)),
      el('div', { class: 'help-body' },
        el('section', {}, el('h3', {}, 'Mouse'), el('dl', {}, ...MOUSE.flatMap(([what, text]) => [el('dt', {}, what), el('dd', {}, text)]))),
        ...[...groups].map(([name, list]) => el('section', {}, el('h3', {}, name),
          el('dl', {}, ...list.flatMap((s) => [el('dt', {}, ...s.keys.map((key) => el('kbd', {}, keyWords(key)))), el('dd', {}, s.text)]))))));
    dialog.addEventListener('click', (event) => event.target === dialog && close());
    return dialog;
  }
}

const MOUSE: [string, string][] = [
  ['drag', 'turn; with the right button or two fingers: pan'], ['wheel', 'zoom to the pointer'], ['click', 'select a body, joint or contact'], ['double click', 'fit the body'],
  ['drag a body (live)', 'pull it by a spring'], ['drag in a plot', 'move time'], ['Shift + drag in a plot', 'zoom; double click: all'],
];

function keyWords(key: string): string {
  return key.replace('ArrowLeft', '←').replace('ArrowRight', '→').replace('ArrowUp', '↑').replace('ArrowDown', '↓').replace(/^ $/, 'space').replace('Shift+', '⇧ ').replace('Escape', 'esc');
}
