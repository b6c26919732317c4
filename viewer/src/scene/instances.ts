// SPDX-License-Identifier: Apache-2.0
// A growing set of equal small things (shafts, heads, cones, discs), filled anew for each frame without allocation.
import * as THREE from 'three';

export class Instances {
  readonly object = new THREE.Group();
  private mesh: THREE.InstancedMesh;
  private count = 0;

  /// `order` is kept by the mesh: a group with an order of its own would come after everything outside it.
  constructor(private readonly geometry: THREE.BufferGeometry, readonly material: THREE.Material, private readonly order: number) {
    this.mesh = this.make(64);
    this.object.add(this.mesh);
  }

  begin(): void {
    this.count = 0;
  }

  /// The geometry's z axis from `from` along (dx, dy, dz) of any length, over `length`; `width` scales x and y.
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, length: number, width: number, colour: ArrayLike<number>, at = 0): void {
    const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(size > 0)) return;
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    const [ux, uy, uz] = [dx / size, dy / size, dz / size];
    // Any two axes across: start from the coordinate axis that is most across.
    let [ax, ay, az] = Math.abs(ux) < 0.6 ? [0, -uz, uy] : [uz, 0, -ux];
    const n = 1 / Math.sqrt(ax * ax + ay * ay + az * az);
    ax *= n;
    ay *= n;
    az *= n;
    const m = this.mesh.instanceMatrix.array as Float32Array;
    const k = 16 * this.count;
    m[k] = ax * width;
    m[k + 1] = ay * width;
    m[k + 2] = az * width;
    m[k + 3] = 0;
    m[k + 4] = (uy * az - uz * ay) * width;
    m[k + 5] = (uz * ax - ux * az) * width;
    m[k + 6] = (ux * ay - uy * ax) * width;
    m[k + 7] = 0;
    m[k + 8] = ux * length;
    m[k + 9] = uy * length;
    m[k + 10] = uz * length;
    m[k + 11] = 0;
    m[k + 12] = x;
    m[k + 13] = y;
    m[k + 14] = z;
    m[k + 15] = 1;
    const c = this.mesh.instanceColor!.array as Float32Array;
    for (let i = 0; i < 3; i++) c[3 * this.count + i] = colour[at + i];
    this.count++;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  setThrough(on: boolean): void {
    this.material.depthTest = !on;
  }
  get size(): number {
    return this.count;
  }

  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.renderOrder = this.order;
    return mesh;
  }

  private grow(): void {
    const larger = this.make(2 * this.mesh.instanceMatrix.count);
    (larger.instanceMatrix.array as Float32Array).set(this.mesh.instanceMatrix.array);
    (larger.instanceColor!.array as Float32Array).set(this.mesh.instanceColor!.array);
    this.object.remove(this.mesh);
    this.mesh.dispose();
    this.mesh = larger;
    this.object.add(larger);
  }
}

/// Length 1 along +z from the origin, radius 1.
export function rod(sides: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, sides, 1, false).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
export function head(): THREE.BufferGeometry {
  return new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
/// Apex at the origin, opening along +z to radius 1 at height 1.
export function funnel(): THREE.BufferGeometry {
  return new THREE.ConeGeometry(1, 1, 24, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
}
export function disc(): THREE.BufferGeometry {
  return new THREE.CircleGeometry(1, 24);
}

export function overlay(opacity = 1, side: THREE.Side = THREE.FrontSide): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ transparent: true, opacity, toneMapped: false, side, depthWrite: false });
}
