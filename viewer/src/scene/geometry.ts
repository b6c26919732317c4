// SPDX-License-Identifier: Apache-2.0
// Which geometry a body is drawn with. Spheres, ellipsoids and boxes of all sizes share one unit geometry each, scaled per
// body, so that a pile of ten thousand different spheres is one draw call; every other shape is its mesh from the server.
import * as THREE from 'three';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { measureMesh, type ShapeMesh } from '../protocol/mesh';
import type { Model, ShapeInfo } from '../protocol/model';

/// A shape as a scaled prototype.
export interface Form {
  key: string;
  scale: [number, number, number];
  volume: number;
  radius: number;  ///< of a sphere around the body's origin that holds it
  half: [number, number, number];  ///< of a box in the body's axes about its origin that holds it
  smooth: boolean;
}

export function unitForm(shape: ShapeInfo): Form | null {
  const n = shape.numbers ?? [];
  if (shape.kind === 'sphere' && n.length >= 1) {
    return { key: 'sphere', scale: [n[0], n[0], n[0]], volume: (4 / 3) * Math.PI * n[0] ** 3, radius: n[0], half: [n[0], n[0], n[0]], smooth: true };
  }
  if (shape.kind === 'ellipsoid' && n.length >= 3) {
    return { key: 'sphere', scale: [n[0], n[1], n[2]], volume: (4 / 3) * Math.PI * n[0] * n[1] * n[2], radius: Math.max(n[0], n[1], n[2]), half: [n[0], n[1], n[2]], smooth: true };
  }
  if (shape.kind === 'box' && n.length >= 3) {
    return { key: 'box', scale: [n[0], n[1], n[2]], volume: 8 * n[0] * n[1] * n[2], radius: Math.hypot(n[0], n[1], n[2]), half: [n[0], n[1], n[2]], smooth: false };
  }
  return null;
}

export function meshForm(index: number, mesh: ShapeMesh): Form {
  return { key: `shape ${index}`, scale: [1, 1, 1], ...measureMesh(mesh), smooth: false };
}

export const isGround = (shape: ShapeInfo | undefined) => shape?.kind === 'half-space';

/// The shapes whose meshes have to be fetched.
export function meshesNeeded(model: Model): number[] {
  const used = new Set(model.bodies.map((body) => body.shape).filter((k) => k >= 0));
  return [...used].filter((k) => !isGround(model.shapes[k]) && !unitForm(model.shapes[k])).sort((a, b) => a - b);
}

/// Fewer triangles per sphere where there are many, or where the processor draws them: 1280, 320, 80 or 20.
export function unitSphere(count: number, slow: boolean): THREE.BufferGeometry {
  const share = slow ? 10 : 1;
  const detail = count * share <= 400 ? 7 : count * share <= 4000 ? 3 : slow && count > 5000 ? 0 : 1;
  const geometry = new THREE.IcosahedronGeometry(1, detail);
  geometry.deleteAttribute('uv');
  geometry.deleteAttribute('normal');
  const merged = mergeVertices(geometry, 1e-5);
  merged.setAttribute('normal', merged.getAttribute('position').clone());
  return merged;
}

export function geometryOf(mesh: ShapeMesh): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(mesh.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(mesh.normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
  return geometry;
}

/// Normals of instances turn with the cofactors of their matrix, which is right for shear too (affine bodies).
export function installExactNormals(): void {
  const wrong = 'transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );\n\ttransformedNormal = im * transformedNormal;';
  const right = 'transformedNormal = mat3( cross( im[ 1 ], im[ 2 ] ), cross( im[ 2 ], im[ 0 ] ), cross( im[ 0 ], im[ 1 ] ) ) * transformedNormal;';
  const chunks = THREE.ShaderChunk as Record<string, string>;
  if (chunks.defaultnormal_vertex.includes(wrong)) chunks.defaultnormal_vertex = chunks.defaultnormal_vertex.replace(wrong, right);
}
