// SPDX-License-Identifier: Apache-2.0
// What can be plotted: each quantity by an id (also used in the page's address), with its series, units and kind of plot.
import { bodyName, type Model } from '../protocol/model';

export interface Line {
  label: string;
  series: string;
  colour: string;
  transform?: (y: number) => number;
}

export interface Quantity {
  id: string;
  title: string;
  unit: string;
  log?: boolean;
  stacked?: boolean;
  lines: Line[];
}

const XYZ = ['#d1495b', '#3a9d5d', '#2f7fd1'];
const ONE = '#2f7fd1';

export const STANDARD = ['energy', 'residual', 'penetration', 'iterations', 'contacts', 'rtf', 'pull'];

/// The quantity of an id; null when the id or what it names does not exist.
export function quantity(model: Model, id: string): Quantity | null {
  const single = (title: string, unit: string, series: string, more: Partial<Line> & { log?: boolean } = {}): Quantity => ({
    id, title, unit, log: more.log, lines: [{ label: title, series, colour: ONE, transform: more.transform }] });
  const axes = (title: string, unit: string, series: string): Quantity => ({
    id, title, unit, lines: ['x', 'y', 'z'].map((axis, k) => ({ label: axis, series: `${series}.${axis}`, colour: XYZ[k] })) });
  switch (id) {
    case 'energy': return { id, title: 'Energy balance', unit: 'J', stacked: true, lines: ENERGY };
    case 'residual': return single('Residual', '', 'certificate.residual', { log: true });
    case 'penetration': return single('Penetration', 'm', 'certificate.penetration');
    case 'iterations': return single('Iterations', '', 'certificate.iterations');
    case 'contacts': return single('Contacts', '', 'certificate.contacts');
    case 'pull': return single('Pull by hand', 'N', 'pull.force');
    case 'rtf': return single('Real-time factor', '', 'certificate.seconds_total', { log: true, transform: (seconds) => (seconds > 0 ? model.step / seconds : NaN) });
  }
  const [kind, first, second] = id.split(':');
  const k = Number(first);
  if (kind === 'certificate') {
    const field = model.certificate_fields.find((f) => f.name === first);
    return field ? single(field.name.replaceAll('_', ' '), field.unit, `certificate.${first}`) : null;
  }
  if (kind === 'body' && model.bodies[k]) {
    const name = bodyName(model, k);
    if (second === 'position') return axes(`${name}: position`, 'm', `body.${k}.position`);
    if (second === 'velocity') return axes(`${name}: velocity`, 'm/s', `body.${k}.velocity`);
    if (second === 'angular_velocity') return axes(`${name}: angular velocity`, 'rad/s', `body.${k}.angular_velocity`);
    if (second === 'speed') return single(`${name}: speed`, 'm/s', `body.${k}.speed`);
  }
  if (kind === 'joint' && model.joints[k]) {
    const name = model.joints[k].name || `joint ${k}`;
    if (second === 'reaction') return single(`${name}: force`, 'N', `joint.${k}.force`);
    if (second === 'torque') return single(`${name}: torque`, 'N m', `joint.${k}.torque`);
  }
  if (kind === 'coordinate' && model.coordinates[k]) return single(coordinateName(model, k), model.coordinates[k].unit, `coordinate.${k}`);
  if (kind === 'law' && model.laws[k] !== undefined) return single(`${model.laws[k]}: force`, 'N', `law.${k}`);
  if (kind === 'pair' && second !== undefined) return single(`${bodyName(model, k)} / ${bodyName(model, Number(second))}: normal force`, 'N', `contact.${k}.${second}.normal_force`);
  return null;
}

/// "hinge: angle"; where the name says the joint already, only that.
export function coordinateName(model: Model, k: number): string {
  const { joint, name } = model.coordinates[k];
  const owner = model.joints[joint]?.name ?? '';
  return owner && !name.includes(owner) ? `${owner}: ${name}` : name;
}

/// From bottom to top; works are losses where they are negative.
export const ENERGY: Line[] = [
  { label: 'kinetic', series: 'energy.kinetic', colour: '#2f7fd1' },
  { label: 'gravity', series: 'energy.gravity', colour: '#7fb069' },
  { label: 'elastic', series: 'energy.elastic', colour: '#e6b54a' },
  { label: 'lost in impacts', series: 'work.contact', colour: '#c8553d' },
  { label: 'lost to friction', series: 'work.friction', colour: '#e08e79' },
  { label: 'lost in joints', series: 'work.joints', colour: '#8a63d2' },
  { label: 'lost to damping', series: 'work.damping', colour: '#9aa0a6' },
];
export const SUPPLY = ['work.loads', 'work.drive'];

/// What the menu offers, in groups, for a selection.
export function offered(model: Model, selected: { kind: string; index: number } | null, pair: [number, number] | null): { group: string; ids: string[] }[] {
  const groups = [{ group: 'Run', ids: [...STANDARD] }];
  if (selected?.kind === 'body') groups.unshift({ group: 'Selected body', ids: ['position', 'velocity', 'speed', 'angular_velocity'].map((w) => `body:${selected.index}:${w}`) });
  if (selected?.kind === 'joint') groups.unshift({ group: 'Selected joint', ids: [`joint:${selected.index}:reaction`, `joint:${selected.index}:torque`] });
  if (pair) groups.unshift({ group: 'Selected contact', ids: [`pair:${pair[0]}:${pair[1]}`] });
  if (model.coordinates.length) groups.push({ group: 'Joint coordinates', ids: model.coordinates.slice(0, 100).map((_, k) => `coordinate:${k}`) });
  if (model.laws.length) groups.push({ group: 'Motors, limits, friction in joints', ids: model.laws.slice(0, 100).map((_, k) => `law:${k}`) });
  const standard = new Set(['residual', 'penetration', 'iterations', 'contacts', 'time']);
  const fields = model.certificate_fields.filter((f) => !standard.has(f.name)).map((f) => `certificate:${f.name}`);
  if (fields.length) groups.push({ group: 'Certificate', ids: fields });
  return groups;
}
