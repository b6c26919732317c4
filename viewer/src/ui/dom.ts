// SPDX-License-Identifier: Apache-2.0
// Elements in one line, and the icons.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/// el('button', {class: 'x', onclick: f, 'aria-label': 'Play'}, 'text'): names with a handler or a known property are set as
/// such, all others as attributes; false and null leave an attribute out.
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on') || key === 'value' || key === 'checked' || key === 'disabled') (element as unknown as Properties)[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

const PATHS: Record<string, string> = {
  play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  forward: '<path d="M6 5l9 7-9 7zM17 5v14"/>',
  back: '<path d="M18 5l-9 7 9 7zM7 5v14"/>',
  nextEvent: '<path d="M4 12h11M11 7l5 5-5 5"/><path d="M20 4v16" stroke-dasharray="3 2.5"/>',
  previousEvent: '<path d="M20 12H9M13 7l-5 5 5 5"/><path d="M4 4v16" stroke-dasharray="3 2.5"/>',
  loop: '<path d="M4 12a7 7 0 0 1 12-5l2 2M20 12a7 7 0 0 1-12 5l-2-2M18 4v5h-5M6 20v-5h5"/>',
  reset: '<path d="M5 12a7 7 0 1 0 2.5-5.4L5 9M5 4v5h5"/>',
  fit: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/><circle cx="12" cy="12" r="2.5"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4"/>',
  moon: '<path d="M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.5-1.1.9-1.1 1.8M12 16.6v.4"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 .4l2.5-2.5a4 4 0 0 0-5.7-5.7L11.5 7.5M14 10a4 4 0 0 0-6-.4l-2.5 2.5a4 4 0 0 0 5.7 5.7l1.3-1.3"/>',
  left: '<rect x="3.5" y="5" width="17" height="14" rx="2"/><path d="M9.5 5v14"/>',
  right: '<rect x="3.5" y="5" width="17" height="14" rx="2"/><path d="M14.5 5v14"/>',
  camera: '<path d="M4 8h3.5L9 6h6l1.5 2H20v11H4z"/><circle cx="12" cy="13" r="3.2"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  eye: '<path d="M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z"/><circle cx="12" cy="12" r="2.5"/>',
  perspective: '<path d="M4 7l16-3v16L4 17zM4 12h16M12 5.5v13"/>',
  stones: '<g fill="currentColor" stroke="none"><ellipse cx="12" cy="19" rx="9" ry="3.2"/><ellipse cx="11.4" cy="12.6" rx="6.3" ry="2.9"/><ellipse cx="12.7" cy="7" rx="4.2" ry="2.5"/></g>',
};

export function icon(name: string): SVGElement {
  const holder = document.createElement('template');
  holder.innerHTML = `<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${PATHS[name] ?? ''}</svg>`;
  return holder.content.firstElementChild as SVGElement;
}

export function iconButton(name: string, label: string, onclick: () => void, more: Properties = {}): HTMLButtonElement {
  return el('button', { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick, ...more }, icon(name));
}

export function setIcon(button: HTMLButtonElement, name: string, label: string): void {
  if (button.dataset.icon === name && button.title === label) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
  button.title = label;
  button.setAttribute('aria-label', label);
}

export function download(name: string, data: Blob): void {
  const address = URL.createObjectURL(data);
  const link = el('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
