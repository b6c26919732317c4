// SPDX-License-Identifier: Apache-2.0
// All bodies with a surface, one instanced mesh per geometry. A frame is written straight into the instance matrices;
// nothing is allocated while playing.
import * as THREE from 'three';
import type { Frame } from '../protocol/frame';
import type { ShapeMesh } from '../protocol/mesh';
import type { Model } from '../protocol/model';
import { geometryOf, isGround, meshForm, unitForm, unitSphere, type Form } from './geometry';

interface Group {
  mesh: THREE.InstancedMesh;
  edges: THREE.LineSegments | null;
  body: Int32Array;
  scale: Float32Array;
}

export type Quality = 'high' | 'fast';
const EDGE_LIMIT = 3000;  // more outlines than this are grey noise

export class BodiesView {
  readonly object = new THREE.Group();
  readonly forms: (Form | null)[];
  readonly volume: Float32Array;
  readonly hidden: Uint8Array;
  private readonly groups: Group[] = [];
  private readonly place: { group: Group; slot: number }[] = [];
  private readonly deformRow: Int32Array;
  private readonly material: THREE.Material & { opacity: number };
  private readonly marked: THREE.Material & { opacity: number };
  private readonly edgeMaterial = new THREE.LineBasicMaterial({ color: 0x0b1016, transparent: true, opacity: 0.4 });
  readonly edgesPossible: boolean;

  /// `slow`: the processor draws, and spheres get fewer triangles.
  constructor(model: Model, meshes: Map<number, ShapeMesh>, quality: Quality, slow: boolean) {
    this.deformRow = new Int32Array(model.bodies.length).fill(-1);
    this.hidden = new Uint8Array(model.bodies.length);
    this.material = makeMaterial(quality, false);
    this.marked = makeMaterial(quality, true);
    const shapeForms = model.shapes.map((shape, k) => (isGround(shape) ? null : unitForm(shape) ?? (meshes.has(k) ? meshForm(k, meshes.get(k)!) : null)));
    this.forms = model.bodies.map((body) => (body.shape >= 0 ? shapeForms[body.shape] : null));
    this.volume = Float32Array.from(this.forms, (form) => form?.volume ?? 0);
    const members = new Map<string, number[]>();
    this.forms.forEach((form, k) => {
      if (!form) return;
      const list = members.get(form.key);
      if (list) list.push(k);
      else members.set(form.key, [k]);
    });
    this.edgesPossible = model.bodies.length <= EDGE_LIMIT;
    for (const [key, list] of members) this.addGroup(key, list, model, meshes, slow);
  }

  private addGroup(key: string, list: number[], model: Model, meshes: Map<number, ShapeMesh>, slow: boolean): void {
    const geometry = key === 'sphere' ? unitSphere(list.length, slow) : key === 'box' ? new THREE.BoxGeometry(2, 2, 2)
      : geometryOf(meshes.get(model.bodies[list[0]].shape)!);
    const mesh = new THREE.InstancedMesh(geometry, key === 'sphere' && list.length <= 4000 ? this.marked : this.material, list.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * list.length).fill(0.5), 3);
    mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const scale = new Float32Array(3 * list.length);
    list.forEach((k, slot) => scale.set(this.forms[k]!.scale, 3 * slot));
    const group: Group = { mesh, edges: null, body: Int32Array.from(list), scale };
    if (this.edgesPossible && key !== 'sphere') group.edges = instancedEdges(geometry, mesh, this.edgeMaterial);
    list.forEach((k, slot) => (this.place[k] = { group, slot }));
    this.groups.push(group);
    this.object.add(mesh);
    if (group.edges) this.object.add(group.edges);
  }

  /// Writes the frame; with `next`, the moment at the share `alpha` of the way to it.
  update(frame: Frame, next: Frame | null = null, alpha = 0): void {
    const row = this.deformRow;
    row.fill(-1);
    for (let d = 0; d < frame.nd; d++) row[frame.u32[frame.deformedBody + d]] = d;
    const second = next && alpha > 0 ? next : null;
    for (const group of this.groups) {
      const m = group.mesh.instanceMatrix.array as Float32Array;
      for (let slot = 0; slot < group.body.length; slot++) {
        const k = group.body[slot];
        if (this.hidden[k]) m.fill(0, 16 * slot, 16 * slot + 15);
        else if (row[k] >= 0) writeAffine(m, 16 * slot, frame, second, alpha, k, row[k], group.scale, 3 * slot);
        else writeRigid(m, 16 * slot, frame, second, alpha, k, group.scale, 3 * slot);
        m[16 * slot + 15] = 1;
      }
      group.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  setColours(linear: Float32Array): void {
    for (const group of this.groups) {
      const colours = group.mesh.instanceColor!.array as Float32Array;
      for (let slot = 0; slot < group.body.length; slot++) {
        const from = 3 * group.body[slot];
        colours[3 * slot] = linear[from];
        colours[3 * slot + 1] = linear[from + 1];
        colours[3 * slot + 2] = linear[from + 2];
      }
      group.mesh.instanceColor!.needsUpdate = true;
    }
  }

  setOpacity(opacity: number): void {
    for (const material of [this.material, this.marked]) {
      const glass = opacity < 0.99;
      if (material.transparent !== glass) material.needsUpdate = true;
      material.transparent = glass;
      material.depthWrite = !glass;
      material.opacity = opacity;
    }
    this.edgeMaterial.opacity = 0.12 + 0.28 * opacity;
  }

  showEdges(on: boolean): void {
    for (const group of this.groups) if (group.edges) group.edges.visible = on;
  }
  setEdgeColour(dark: boolean): void {
    this.edgeMaterial.color.set(dark ? 0x05070a : 0x1a2027);
  }

  geometry(body: number): THREE.BufferGeometry | null {
    return this.place[body]?.group.mesh.geometry ?? null;
  }
  /// The matrix a body is drawn with at this moment; null when it has no surface.
  matrix(body: number, out: THREE.Matrix4): THREE.Matrix4 | null {
    const place = this.place[body];
    return place ? out.fromArray(place.group.mesh.instanceMatrix.array, 16 * place.slot) : null;
  }
  get triangles(): number {
    return this.groups.reduce((sum, g) => sum + ((g.mesh.geometry.index?.count ?? 0) / 3) * g.body.length, 0);
  }
}

/// Columns are the rotated axes times the scale. With a second frame: straight line, normalised straight line of quaternions.
function writeRigid(m: Float32Array, at: number, a: Frame, b: Frame | null, s: number, k: number, scale: Float32Array, sc: number): void {
  const f = a.f32;
  const p = a.position + 3 * k;
  const o = a.orientation + 4 * k;
  let [w, x, y, z] = [f[o], f[o + 1], f[o + 2], f[o + 3]];
  let [px, py, pz] = [f[p], f[p + 1], f[p + 2]];
  if (b) {
    const g = b.f32;
    const q = b.orientation + 4 * k;
    const r = b.position + 3 * k;
    const t = w * g[q] + x * g[q + 1] + y * g[q + 2] + z * g[q + 3] < 0 ? -s : s;
    w += t * g[q] - s * w;
    x += t * g[q + 1] - s * x;
    y += t * g[q + 2] - s * y;
    z += t * g[q + 3] - s * z;
    const n = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
    w *= n;
    x *= n;
    y *= n;
    z *= n;
    px += s * (g[r] - px);
    py += s * (g[r + 1] - py);
    pz += s * (g[r + 2] - pz);
  }
  const [sx, sy, sz] = [scale[sc], scale[sc + 1], scale[sc + 2]];
  m[at] = (1 - 2 * (y * y + z * z)) * sx;
  m[at + 1] = 2 * (x * y + w * z) * sx;
  m[at + 2] = 2 * (x * z - w * y) * sx;
  m[at + 3] = 0;
  m[at + 4] = 2 * (x * y - w * z) * sy;
  m[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
  m[at + 6] = 2 * (y * z + w * x) * sy;
  m[at + 7] = 0;
  m[at + 8] = 2 * (x * z + w * y) * sz;
  m[at + 9] = 2 * (y * z - w * x) * sz;
  m[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
  m[at + 11] = 0;
  m[at + 12] = px;
  m[at + 13] = py;
  m[at + 14] = pz;
}

function writeAffine(m: Float32Array, at: number, a: Frame, b: Frame | null, s: number, k: number, d: number, scale: Float32Array, sc: number): void {
  const same = b && b.nd === a.nd && b.u32[b.deformedBody + d] === k ? b : null;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let value = a.f32[a.deformation + 9 * d + 3 * i + j];
      if (same) value += s * (same.f32[same.deformation + 9 * d + 3 * i + j] - value);
      m[at + 4 * j + i] = value * scale[sc + j];
    }
    let x = a.f32[a.position + 3 * k + i];
    if (b) x += s * (b.f32[b.position + 3 * k + i] - x);
    m[at + 12 + i] = x;
    m[at + 4 * i + 3] = 0;
  }
}

/// Outlines with the matrices of the bodies: three.js draws any object that says it is instanced.
function instancedEdges(geometry: THREE.BufferGeometry, mesh: THREE.InstancedMesh, material: THREE.Material): THREE.LineSegments {
  const lines = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), material);
  Object.assign(lines, { isInstancedMesh: true, instanceMatrix: mesh.instanceMatrix, instanceColor: null, morphTexture: null, count: mesh.count });
  lines.frustumCulled = false;
  return lines;
}

/// `marks`: octants of a sphere in two tones, so that its spin can be seen.
function makeMaterial(quality: Quality, marks: boolean): THREE.Material & { opacity: number } {
  const material = quality === 'high' ? new THREE.MeshStandardMaterial({ roughness: 0.68, metalness: 0 }) : new THREE.MeshLambertMaterial();
  if (marks) {
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec3 vOwn;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvOwn = position;');
      shader.fragmentShader = shader.fragmentShader.replace('#include <common>', '#include <common>\nvarying vec3 vOwn;')
        .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb *= vOwn.x * vOwn.y * vOwn.z > 0.0 ? 1.1 : 0.86;');
    };
    material.customProgramCacheKey = () => 'marks';
  }
  return material;
}
