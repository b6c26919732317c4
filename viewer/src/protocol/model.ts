// SPDX-License-Identifier: Apache-2.0
// What /api/model and its companions answer: the words of docs/viewer-protocol.md as types.

export type Vec3 = [number, number, number];
export type Bounds = [Vec3, Vec3];

export interface BodyInfo {
  name: string;
  kind: string;
  material: string;
  mass: number | null;
  shape: number;
  deforms: boolean;
}

export interface ShapeInfo {
  kind: string;
  numbers?: number[];
  bounds: Bounds | null;
  triangles: number;
}

export interface JointInfo {
  name: string;
  type: string;
  body_a: number;
  body_b: number;
  anchor_a: Vec3;
  anchor_b: Vec3;
}

export interface CoordinateInfo {
  joint: number;
  name: string;
  unit: string;
}

export interface Parameter {
  name: string;
  label: string;
  value: number;
  unit: string;
  min: number;
  max: number;
  step?: number;
  group?: string;
}

export interface Model {
  protocol: number;
  mode: 'recording' | 'live';
  title: string;
  file: string;
  cairn: string;
  step: number;
  interval: number;
  gravity: Vec3;
  stepper: string;
  solver: string;
  complete: boolean;
  has_contacts: boolean;
  bodies: BodyInfo[];
  shapes: ShapeInfo[];
  joints: JointInfo[];
  coordinates: CoordinateInfo[];
  laws: string[];
  certificate_fields: { name: string; unit: string; help: string }[];
  bounds: Bounds;
  focus?: Bounds;                                        ///< what a camera should show at the start
  alarm?: { residual?: number; penetration?: number };  ///< above these the run counts as alarming
  parameters?: Parameter[];
}

export interface RunEvent {
  time: number;
  kind: string;
  text: string;
  bodies?: number[];
}

export interface LiveStatus {
  time: number;
  step: number;
  paused: boolean;
  seconds_per_step: number;
  budget: number | null;
  real_time_factor: number;
  residual: number;
  penetration: number;
  contacts: number;
  iterations: number;
  energy?: Record<string, number>;
  work?: Record<string, number>;
  failed: string | null;
  warnings?: string[];  ///< energy gained without a cause, joints that came apart
  speed?: number;
  drag?: { body: number; point: Vec3; target: Vec3; force: Vec3 } | null;
}

/// A model that lacks what the page stands on is refused in words; what may be absent gets its empty value.
export function checkModel(value: unknown): Model {
  const model = value as Model;
  if (!model || typeof model !== 'object' || !Array.isArray(model.bodies) || !Array.isArray(model.shapes)) {
    throw new Error('the server sent no model: bodies or shapes are missing');
  }
  if (model.protocol !== 1) {
    throw new Error(`the server speaks protocol ${model.protocol}; this page knows protocol 1. Use the page of the same version of Cairn.`);
  }
  model.joints ??= [];
  model.coordinates ??= [];
  model.laws ??= [];
  model.certificate_fields ??= [];
  model.bounds ??= [[-1, -1, 0], [1, 1, 1]];
  model.focus ??= model.bounds;
  model.gravity ??= [0, 0, -9.81];
  for (const body of model.bodies) {
    if (body.shape >= model.shapes.length) throw new Error(`body '${body.name}' has shape ${body.shape}; there are ${model.shapes.length}`);
  }
  return model;
}

/// What a person reads for body K; -1 is the world.
export function bodyName(model: Model, index: number): string {
  if (index < 0) return 'world';
  return model.bodies[index]?.name || `body ${index}`;
}

/// Fixed and prescribed bodies do not answer to forces.
export function isHeld(body: BodyInfo | undefined): boolean {
  return !body || body.kind === 'fixed' || body.kind === 'prescribed';
}
