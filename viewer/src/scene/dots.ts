// SPDX-License-Identifier: Apache-2.0
// Round points of a size in pixels, with a rim: contact points and joints.
import * as THREE from 'three';

export class Dots {
  readonly object: THREE.Points;
  private count = 0;
  private readonly material: THREE.ShaderMaterial;

  constructor(order: number) {
    this.material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      depthTest: false,
      uniforms: { ratio: { value: 1 } },
      vertexShader: `attribute vec3 tint; attribute float size; uniform float ratio; varying vec3 vTint; varying float vSize;
void main() {
  vTint = tint; vSize = size * ratio;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 2e-4 * gl_Position.w;
  gl_PointSize = vSize + 1.0;
}`,
      fragmentShader: `varying vec3 vTint; varying float vSize;
void main() {
  float d = length(gl_PointCoord - 0.5) * (vSize + 1.0);
  float inside = 1.0 - smoothstep(0.5 * vSize - 0.5, 0.5 * vSize + 0.5, d);
  if (inside < 0.01) discard;
  float rim = smoothstep(0.5 * vSize - 2.0, 0.5 * vSize - 1.0, d);
  gl_FragColor = vec4(mix(vTint, vTint * 0.25, rim), inside);
  #include <colorspace_fragment>
}`,
    });
    this.object = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
    this.reserve(256);
  }

  begin(ratio: number): void {
    this.count = 0;
    this.material.uniforms.ratio.value = ratio;
  }
  add(x: number, y: number, z: number, size: number, colour: ArrayLike<number>): void {
    const g = this.object.geometry;
    if (this.count === g.attributes.position.count) this.reserve(2 * this.count);
    const p = this.object.geometry.attributes.position.array as Float32Array;
    const c = this.object.geometry.attributes.tint.array as Float32Array;
    p[3 * this.count] = x;
    p[3 * this.count + 1] = y;
    p[3 * this.count + 2] = z;
    for (let i = 0; i < 3; i++) c[3 * this.count + i] = colour[i];
    (this.object.geometry.attributes.size.array as Float32Array)[this.count] = size;
    this.count++;
  }
  end(): void {
    const g = this.object.geometry;
    g.setDrawRange(0, this.count);
    for (const name of ['position', 'tint', 'size']) g.attributes[name].needsUpdate = true;
    this.object.visible = this.count > 0;
  }
  setThrough(on: boolean): void {
    this.material.depthTest = !on;
  }

  private reserve(capacity: number): void {
    const old = this.object.geometry;
    const g = new THREE.BufferGeometry();
    for (const [name, width] of [['position', 3], ['tint', 3], ['size', 1]] as const) {
      const array = new Float32Array(width * capacity);
      if (old.attributes[name]) array.set(old.attributes[name].array);
      g.setAttribute(name, new THREE.BufferAttribute(array, width).setUsage(THREE.DynamicDrawUsage));
    }
    old.dispose();
    this.object.geometry = g;
  }
}
