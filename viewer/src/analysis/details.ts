// SPDX-License-Identifier: Apache-2.0
// The numbers of a body, joint or contact from a frame the page has kept, in the form /api/body, joint and contact give them.
// A frame has single precision, no inertia and no forces of laws: what it does not tell is null or left out.
import type { Frame } from '../protocol/frame';
import type { Model } from '../protocol/model';

const STATES = ['open', 'stick', 'slip'];

export function detailOf(model: Model, frame: Frame, kind: 'body' | 'joint' | 'contact', index: number): Record<string, unknown> {
  const list = (start: number, width: number) => Array.from(frame.f32.subarray(start + width * index, start + width * (index + 1)));
  const { time } = frame;
  if (kind === 'body') {
    if (index >= frame.nb) throw new Error(`there is no body ${index}; there are ${frame.nb}`);
    const force = [0, 0, 0];
    let contacts = 0;
    for (let c = 0; c < frame.nc; c++) {
      const [a, b] = [frame.i32[frame.bodies + 2 * c], frame.i32[frame.bodies + 2 * c + 1]];
      const sign = a === index ? 1 : b === index ? -1 : 0;
      if (!sign) continue;
      contacts++;
      for (let i = 0; i < 3; i++) force[i] += sign * frame.f32[frame.force + 3 * c + i];
    }
    let deformation: number[] | null = null;
    for (let d = 0; d < frame.nd; d++) {
      if (frame.u32[frame.deformedBody + d] === index) deformation = Array.from(frame.f32.subarray(frame.deformation + 9 * d, frame.deformation + 9 * d + 9));
    }
    const pull = frame.pull?.body === index ? { point: frame.pull.point, target: frame.pull.target, force: frame.pull.force } : null;
    return { time, position: list(frame.position, 3), orientation: list(frame.orientation, 4), velocity: list(frame.velocity, 3), angular_velocity: list(frame.angularVelocity, 3), kinetic_energy: null, deformation, contact_force: force, contacts, pull };
  }
  if (kind === 'joint') {
    if (index >= frame.nj) throw new Error(`there is no joint ${index}; there are ${frame.nj}`);
    const coordinates = model.coordinates.flatMap((c, k) => (c.joint === index ? [{ name: c.name, unit: c.unit, value: frame.f32[frame.coordinate + k] }] : []));
    return { time, force: list(frame.jointForce, 3), torque: list(frame.jointTorque, 3), coordinates, laws: [] };
  }
  if (index >= frame.nc) throw new Error(`there is no contact ${index}; there are ${frame.nc}`);
  const area = frame.f32[frame.area + index];
  return { time, bodies: Array.from(frame.i32.subarray(frame.bodies + 2 * index, frame.bodies + 2 * index + 2)), point: list(frame.point, 3), normal: list(frame.normal, 3), force: list(frame.force, 3),
    gap: frame.f32[frame.gap + index], state: STATES[frame.u8[frame.state + index]] ?? '?', friction: frame.f32[frame.friction + index], area: area > 0 ? area : null };
}
