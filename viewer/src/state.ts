// SPDX-License-Identifier: Apache-2.0
// What a person has chosen to see: read from and written to the page's address, so that a view can be sent and pictures
// can be made without anybody at the screen.
import { COLOURINGS, type Colouring } from './analysis/colouring';
import { LAYERS, type Layer } from './scene/contacts';

export type Selection = { kind: 'body' | 'joint' | 'contact'; index: number } | null;

export interface ViewState {
  time: number | null;
  frame: number | null;
  camera: string;                 ///< a standard view, or six numbers: eye and target
  orthographic: boolean;
  layers: Set<Layer>;
  colour: Colouring;
  opacity: number;
  arrowScale: number;
  through: boolean;
  ui: boolean;
  legend: boolean;
  theme: 'auto' | 'light' | 'dark';
  quality: 'auto' | 'high' | 'fast';
  select: Selection;
  follow: boolean;
  plots: string[] | null;
  play: boolean;
  speed: number;
  interpolate: boolean;
}

export const DEFAULT_LAYERS: Layer[] = ['edges', 'grid', 'penetration'];

export function parseState(search: string): { state: ViewState; problems: string[] } {
  const q = new URLSearchParams(search);
  const problems: string[] = [];
  const number = (key: string, low: number, high: number): number | null => {
    const text = q.get(key);
    if (text === null || text === '') return null;
    const value = Number(text);
    if (Number.isFinite(value) && value >= low && value <= high) return value;
    problems.push(`${key}=${text} in the address is not a number from ${low} to ${high}`);
    return null;
  };
  const choice = <T extends string>(key: string, values: readonly T[], otherwise: T): T => {
    const text = q.get(key) as T | null;
    if (text === null || text === '') return otherwise;
    if (values.includes(text)) return text;
    problems.push(`${key}=${text} in the address is none of ${values.join(', ')}`);
    return otherwise;
  };
  const list = (key: string): string[] | null => q.get(key)?.split(',').map((s) => s.trim()).filter(Boolean) ?? null;
  const flag = (key: string, otherwise: boolean) => (q.has(key) ? !['0', 'false', 'no'].includes(q.get(key)!) : otherwise);

  const layers = list('layers');
  for (const layer of layers ?? []) if (!(LAYERS as readonly string[]).includes(layer)) problems.push(`layer '${layer}' in the address is none of ${LAYERS.join(', ')}`);
  const chosen = layers?.filter((l): l is Layer => (LAYERS as readonly string[]).includes(l));
  const ui = flag('ui', true);
  const state: ViewState = {
    time: number('time', -Infinity, Infinity),
    frame: number('frame', 0, 1e12),
    camera: q.get('camera') || 'iso',
    orthographic: choice('projection', ['perspective', 'orthographic'], 'perspective') === 'orthographic',
    layers: new Set(chosen ? [...chosen, 'grid' as Layer] : DEFAULT_LAYERS),
    colour: choice('color', COLOURINGS, 'name'),
    opacity: number('opacity', 0.02, 1) ?? 1,
    arrowScale: number('scale', 0.05, 50) ?? 1,
    through: flag('through', true),
    ui,
    legend: flag('legend', ui),
    theme: choice('theme', ['auto', 'light', 'dark'], 'auto'),
    quality: choice('quality', ['auto', 'high', 'fast'], 'auto'),
    select: parseSelection(q.get('select'), problems),
    follow: flag('follow', false),
    plots: list('plots'),
    play: flag('play', false),
    speed: number('speed', 0.001, 1000) ?? 1,
    interpolate: flag('smooth', true),
  };
  return { state, problems };
}

function parseSelection(text: string | null, problems: string[]): Selection {
  if (!text) return null;
  const match = /^(body|joint|contact):(\d+)$/.exec(text);
  if (!match) problems.push(`select=${text} in the address is not like body:3, joint:0 or contact:12`);
  return match ? { kind: match[1] as 'body', index: Number(match[2]) } : null;
}

/// The address's query of a view; what is as usual is left out.
export function formatState(state: ViewState): string {
  const q = new URLSearchParams();
  const put = (key: string, value: string | number | null, usual: string | number | null) => {
    if (value !== null && value !== usual) q.set(key, String(value));
  };
  put('time', state.time, null);
  put('frame', state.time === null ? state.frame : null, null);
  put('camera', state.camera, 'iso');
  put('projection', state.orthographic ? 'orthographic' : 'perspective', 'perspective');
  const layers = [...state.layers].sort().join(',');
  put('layers', layers, [...DEFAULT_LAYERS].sort().join(','));
  put('color', state.colour, 'name');
  put('opacity', state.opacity, 1);
  put('scale', state.arrowScale, 1);
  if (!state.through) q.set('through', '0');
  put('theme', state.theme, 'auto');
  if (state.select) q.set('select', `${state.select.kind}:${state.select.index}`);
  if (state.follow) q.set('follow', '1');
  if (state.plots) q.set('plots', state.plots.join(','));
  return q.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}
