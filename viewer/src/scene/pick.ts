// SPDX-License-Identifier: Apache-2.0
// What lies under the mouse: contacts and joints by their distance on the screen, bodies by their triangles.
import * as THREE from 'three';
import { holds, type Frame } from '../protocol/frame';
import type { Model } from '../protocol/model';
import type { BodiesView } from './bodies';
import { anchorPoint } from './joints';
import type { Stage } from './stage';

export interface Pick {
  kind: 'body' | 'joint' | 'contact';
  index: number;
  point: THREE.Vector3;
}

const NEAR_PIXELS = 9;

export function pick(stage: Stage, bodies: BodiesView, model: Model, frame: Frame, x: number, y: number, want: { contacts: boolean; joints: boolean }): Pick | null {
  if (want.contacts) {
    const contact = nearest(frame.nc, (c, out) => out.fromArray(frame.f32, frame.point + 3 * c), stage, x, y);
    if (contact) return { kind: 'contact', ...contact };
  }
  if (want.joints) {
    const joint = nearest(model.joints.length, (j, out) => (holds(frame, j) ? anchorPoint(frame, model.joints[j].body_a, model.joints[j].anchor_a, out) : out.setScalar(NaN)), stage, x, y);
    if (joint) return { kind: 'joint', ...joint };
  }
  const hit = pickBody(stage, bodies, x, y);
  return hit ? { kind: 'body', ...hit } : null;
}

/// A ray through the pixel: first against a ball around each body, then against the triangles of those that are left.
export function pickBody(stage: Stage, bodies: BodiesView, x: number, y: number): { index: number; point: THREE.Vector3 } | null {
  const caster = casterAt(stage, x, y);
  const { origin, direction } = caster.ray;
  const matrix = new THREE.Matrix4();
  const probe = new THREE.Mesh(undefined, new THREE.MeshBasicMaterial({ side: THREE.FrontSide }));
  const centre = new THREE.Vector3();
  let best: { index: number; point: THREE.Vector3; distance: number } | null = null;
  for (let k = 0; k < bodies.forms.length; k++) {
    const form = bodies.forms[k];
    if (!form || bodies.hidden[k] || !bodies.matrix(k, matrix)) continue;
    centre.setFromMatrixPosition(matrix).sub(origin);
    const along = centre.dot(direction);
    const radius = 1.5 * form.radius;  // room for bodies that are stretched
    if (centre.lengthSq() - along * along > radius * radius) continue;
    if (best && along - radius > best.distance) continue;
    probe.geometry = bodies.geometry(k)!;
    probe.matrixWorld.copy(matrix);
    const [hit] = caster.intersectObject(probe, false);
    if (hit && (!best || hit.distance < best.distance)) best = { index: k, point: hit.point, distance: hit.distance };
  }
  return best;
}

export function casterAt(stage: Stage, x: number, y: number): THREE.Raycaster {
  const caster = new THREE.Raycaster();
  const place = new THREE.Vector2((2 * x) / stage.canvas.clientWidth - 1, 1 - (2 * y) / stage.canvas.clientHeight);
  stage.rig.camera.updateMatrixWorld();
  caster.setFromCamera(place, stage.rig.camera);
  return caster;
}

function nearest(count: number, place: (i: number, out: THREE.Vector3) => THREE.Vector3, stage: Stage, x: number, y: number) {
  const p = new THREE.Vector3();
  let best: { index: number; point: THREE.Vector3 } | null = null;
  let [closest, depth] = [NEAR_PIXELS, Infinity];
  for (let i = 0; i < count; i++) {
    const s = stage.project(place(i, p));
    const d = Math.hypot(s.x - x, s.y - y);
    if (s.z > 1 || d > closest + 0.5 || (d > closest - 0.5 && s.z >= depth)) continue;
    [closest, depth] = [Math.min(closest, d), s.z];
    best = { index: i, point: p.clone() };
  }
  return best;
}
