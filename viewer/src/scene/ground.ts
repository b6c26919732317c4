// SPDX-License-Identifier: Apache-2.0
// Half-spaces as planes with a grid in metres that fade out towards the horizon; and a bare grid where a scene has no ground.
import * as THREE from 'three';
import type { Frame } from '../protocol/frame';
import type { Model } from '../protocol/model';
import { isGround } from './geometry';

interface Plane {
  body: number;
  mesh: THREE.Mesh;
  tilt: THREE.Quaternion;  // plane's z to the half-space's normal, in the body's axes
  offset: number;
  normal: THREE.Vector3;
}

export class Ground {
  readonly object = new THREE.Group();
  private readonly planes: Plane[] = [];
  private readonly uniforms = { cell: { value: 1 }, reach: { value: 10 }, centre: { value: new THREE.Vector3() }, line: { value: new THREE.Color(0x8a949e) } };
  private readonly materials: THREE.MeshLambertMaterial[] = [];
  private bare: THREE.Mesh | null = null;

  constructor(model: Model, private readonly radius: number, centre: THREE.Vector3) {
    this.uniforms.cell.value = niceCell(radius);
    this.uniforms.reach.value = 5.5 * radius;
    this.uniforms.centre.value.copy(centre);
    model.bodies.forEach((body, k) => {
      if (body.shape < 0 || !isGround(model.shapes[body.shape])) return;
      const n = model.shapes[body.shape].numbers ?? [0, 0, 1, 0];
      const normal = new THREE.Vector3(n[0], n[1], n[2]).normalize();
      const steep = normal.z < 0.5;
      const mesh = this.makePlane(steep ? 0.3 : 1, true);
      mesh.receiveShadow = !steep;
      this.planes.push({ body: k, mesh, tilt: new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal), offset: n[3] ?? 0, normal });
      this.object.add(mesh);
    });
    if (!this.planes.length) {
      this.bare = this.makePlane(0, false);
      this.bare.position.set(centre.x, centre.y, model.bounds[0][2] - 1e-3 * radius);
      this.object.add(this.bare);
    }
  }

  get hasGround(): boolean {
    return this.planes.length > 0;
  }
  isPlane(body: number): boolean {
    return this.planes.some((plane) => plane.body === body);
  }

  setTheme(dark: boolean): void {
    this.uniforms.line.value.set(dark ? 0x55616d : 0x9aa4ad);
    for (const material of this.materials) material.color.set(dark ? 0x2b3138 : 0xe4e7e9);
  }
  showGrid(on: boolean): void {
    if (this.bare) this.bare.visible = on;
  }

  update(frame: Frame): void {
    const q = new THREE.Quaternion();
    const p = new THREE.Vector3();
    for (const plane of this.planes) {
      const o = frame.orientation + 4 * plane.body;
      const x = frame.position + 3 * plane.body;
      q.set(frame.f32[o + 1], frame.f32[o + 2], frame.f32[o + 3], frame.f32[o]);
      p.copy(plane.normal).multiplyScalar(plane.offset).applyQuaternion(q);
      p.add(new THREE.Vector3(frame.f32[x], frame.f32[x + 1], frame.f32[x + 2]));
      plane.mesh.quaternion.copy(q).multiply(plane.tilt);
      // The patch is centred below the scene; the grid in it stays with the body.
      const normal = plane.normal.clone().applyQuaternion(q);
      const c = this.uniforms.centre.value;
      plane.mesh.position.copy(c).addScaledVector(normal, normal.dot(p) - normal.dot(c));
      const shift = p.sub(plane.mesh.position).applyQuaternion(plane.mesh.quaternion.clone().invert());
      (plane.mesh.userData.shift.value as THREE.Vector2).set(shift.x, shift.y);
    }
  }

  private makePlane(fill: number, lit: boolean): THREE.Mesh {
    const material = new THREE.MeshLambertMaterial({ transparent: true, depthWrite: fill === 1, side: lit ? THREE.FrontSide : THREE.DoubleSide });
    const shift = { value: new THREE.Vector2() };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms, { shift, fill: { value: fill } });
      shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec2 vPlane;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlane = position.xy;');
      shader.fragmentShader = shader.fragmentShader.replace('#include <common>', `#include <common>
varying vec2 vPlane; uniform vec2 shift; uniform float cell, reach, fill; uniform vec3 line;
float gridLine(vec2 p, float size, float width) {
  vec2 u = p / size; vec2 w = fwidth(u);
  vec2 d = abs(fract(u - 0.5) - 0.5) / max(w, 1e-6);
  float fade = 1.0 - smoothstep(0.15, 0.5, max(w.x, w.y));
  return (1.0 - smoothstep(width - 0.5, width + 0.5, min(d.x, d.y))) * fade;
}`).replace('#include <opaque_fragment>', `
float far = 1.0 - smoothstep(0.25, 1.0, length(vPlane) / reach);
float grid = max(0.55 * gridLine(vPlane - shift, cell, 0.6), gridLine(vPlane - shift, 5.0 * cell, 0.8));
outgoingLight = mix(outgoingLight, line, grid * (fill > 0.5 ? 0.5 : 1.0));
diffuseColor.a = far * far * max(fill, 0.6 * grid);
#include <opaque_fragment>`);
    };
    material.customProgramCacheKey = () => `ground ${fill}`;
    this.materials.push(material);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(12 * this.radius, 12 * this.radius), material);
    mesh.userData.shift = shift;
    mesh.renderOrder = -1;
    return mesh;
  }
}

/// About a twelfth of the scene: 1, 2 or 5 times a power of ten metres.
export function niceCell(radius: number): number {
  const rough = radius / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((size) => size >= rough * 0.999) ?? power;
}
