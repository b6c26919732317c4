// SPDX-License-Identifier: Apache-2.0
// The bar above, the view buttons on the picture, and every key.
import type { App } from '../app';
import { VIEWS } from '../scene/camera';
import { el, icon, iconButton } from './dom';
import { Shortcuts, type Shortcut } from './help';

export function fillBar(app: App): void {
  const { model, layout } = app;
  const facts = [model.file, `${model.bodies.length} bodies`, model.joints.length ? `${model.joints.length} joints` : '', model.stepper, model.solver].filter(Boolean);
  layout.bar.append(
    el('span', { class: 'brand' }, icon('stones'), 'Cairn'),
    el('span', { class: 'title', title: model.title }, model.title || model.file),
    el('span', { class: 'facts' }, facts.join('  ·  ')),
    el('span', { class: 'spring' }),
    ...(app.isLive ? [el('span', { class: 'badge live' }, 'live')] : []),
    iconButton('left', 'Display and model panel (B)', () => layout.togglePanel('left'), { id: 'toggle-left' }),
    iconButton('right', 'Numbers and plots panel (V)', () => layout.togglePanel('right'), { id: 'toggle-right' }),
    iconButton('link', 'Copy the address of this view', () => {
      const text = app.link();
      void navigator.clipboard?.writeText(text).then(() => app.notices.flash('The address of this view is copied.'), () => app.notices.set('link', text, 'info'));
    }, { id: 'copy-link' }),
    iconButton('camera', 'Save the picture (S)', () => app.savePicture(), { id: 'save-picture' }),
    iconButton('moon', 'Light or dark (D)', () => app.switchTheme(), { id: 'theme' }),
    iconButton('help', 'Keys and help (?)', () => app.shortcuts.show(), { id: 'help' }));
}

export function fillTools(app: App): void {
  const view = (name: string, key: string) => el('button', { type: 'button', class: 'tool', id: `view-${name}`, title: `${name[0].toUpperCase()}${name.slice(1)} view (${key})`, onclick: () => app.picture.setCamera(name) }, name);
  const projection = iconButton('perspective', 'Perspective or orthographic (O)', () => toggleProjection(app), { id: 'projection', 'aria-pressed': String(app.state.orthographic) });
  app.layout.tools.append(iconButton('fit', 'Fit (F)', () => app.fit(), { id: 'fit' }), ...Object.keys(VIEWS).filter((n) => n !== 'back' && n !== 'left').map((name) => view(name, keyOf(name))), projection);
}

const keyOf = (view: string) => String(Object.keys(VIEWS).indexOf(view) + 1);

export function toggleProjection(app: App): void {
  const on = !app.picture.stage.rig.isOrthographic;
  app.picture.stage.rig.setOrthographic(on);
  app.picture.stage.invalidate();
  app.state.orthographic = on;
  document.getElementById('projection')?.setAttribute('aria-pressed', String(on));
}

export function makeShortcuts(app: App): Shortcuts {
  const key = (group: string, keys: string | string[], text: string, run: () => void): Shortcut => ({ group, keys: [keys].flat(), text, run });
  const layer = (k: string, name: Parameters<typeof app.display.toggleLayer>[0], text: string) => key('Layers', k, text, () => app.display.toggleLayer(name));
  const { rig } = app.picture.stage;
  const live = app.live?.panel;
  const time = live
    ? [key('Time', ' ', 'pause or go on', () => live.toggle()), key('Time', 'ArrowRight', 'one step; looking back: one picture on', () => app.live!.step(1)), key('Time', 'ArrowLeft', 'look one picture back', () => app.live!.step(-1)),
      key('Time', 'Shift+ArrowLeft', 'look ten pictures back', () => app.live!.step(-10)), key('Time', 'Shift+ArrowRight', 'ten pictures on', () => app.live!.lookedAt && app.live!.step(10)), key('Time', 'Home', 'to the oldest picture kept', () => app.live!.look(-Infinity, true)), key('Time', 'End', 'to the present', () => app.live!.present()), key('Time', 'r', 'back to the start', () => live.reset())]
    : [key('Time', ' ', 'play or pause', () => app.togglePlay()), key('Time', 'ArrowLeft', 'one frame back', () => app.clock.step(-1)), key('Time', 'ArrowRight', 'one frame on', () => app.clock.step(1)),
      key('Time', 'Shift+ArrowLeft', 'ten frames back', () => app.clock.step(-10)), key('Time', 'Shift+ArrowRight', 'ten frames on', () => app.clock.step(10)),
      key('Time', 'Home', 'to the start', () => app.clock.seekFrame(0)), key('Time', 'End', 'to the end', () => app.clock.seekFrame(app.frames - 1)),
      key('Time', 'n', 'next event', () => app.timeline?.jump(1)), key('Time', 'p', 'previous event', () => app.timeline?.jump(-1)),
      key('Time', ['+', '='], 'faster', () => app.clock.faster(1)), key('Time', '-', 'slower', () => app.clock.faster(-1)), key('Time', 'l', 'loop', () => app.timeline?.toggleLoop())];
  return new Shortcuts([
    ...time,
    ...Object.keys(VIEWS).map((name) => key('View', keyOf(name), `${name} view`, () => app.picture.setCamera(name))),
    key('View', 'f', 'fit (the selected body, or all)', () => app.fit()),
    key('View', 'o', 'perspective or orthographic', () => toggleProjection(app)),
    key('View', 'g', 'follow the selected body', () => app.follow(!app.state.follow)),
    key('View', 'Shift+ArrowUp', 'look from higher', () => rig.turn(0, 0.1)),
    key('View', 'Shift+ArrowDown', 'look from lower', () => rig.turn(0, -0.1)),
    key('View', '[', 'turn left', () => rig.turn(-0.1, 0)),
    key('View', ']', 'turn right', () => rig.turn(0.1, 0)),
    key('View', 'PageUp', 'nearer', () => rig.zoom(1.15)),
    key('View', 'PageDown', 'farther', () => rig.zoom(1 / 1.15)),
    layer('k', 'points', 'contact points'), layer('a', 'arrows', 'force arrows'), layer('u', 'cones', 'friction cones'), layer('h', 'chains', 'force chains'),
    layer('w', 'pressure', 'pressure'), layer('t', 'thrust', 'line of thrust'), layer('j', 'joints', 'joints'), layer('e', 'edges', 'edges'),
    key('Layers', 'c', 'next colouring of bodies', () => app.display.nextColour()),
    key('Layers', 'x', 'bodies as glass', () => {
      app.state.opacity = app.state.opacity < 1 ? 1 : 0.25;
      const input = document.getElementById('opacity') as HTMLInputElement | null;
      if (input) {
        input.value = String(app.state.opacity);
        input.dispatchEvent(new Event('input'));
      }
    }),
    key('Page', '/', 'search by name', () => app.tree.search.focus()),
    key('Page', 'Escape', 'nothing selected', () => app.select(null)),
    key('Page', 'y', 'show all hidden bodies', () => app.showAll()),
    key('Page', 'b', 'left panel', () => app.layout.togglePanel('left')),
    key('Page', 'v', 'right panel', () => app.layout.togglePanel('right')),
    key('Page', 'd', 'light or dark', () => app.switchTheme()),
    key('Page', 's', 'save the picture', () => app.savePicture()),
    key('Page', '?', 'this help', () => app.shortcuts.show()),
  ]);
}
