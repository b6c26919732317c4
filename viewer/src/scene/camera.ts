// SPDX-License-Identifier: Apache-2.0
// The eye: orbit, pan, zoom, standard views, fit, follow, perspective or orthographic. z is up.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export const VIEWS: Record<string, [number, number, number]> = {
  iso: [-0.62, -0.68, 0.42],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, 0, 1],
};

export class CameraRig {
  readonly perspective = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  readonly controls: OrbitControls;
  private aspect = 1;
  private followed: THREE.Vector3 | null = null;

  constructor(element: HTMLElement, onChange: () => void) {
    for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.perspective, element);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', onChange);
    this.controls.mouseButtons = { LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.PAN, RIGHT: THREE.MOUSE.PAN };
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.controls.object as THREE.PerspectiveCamera | THREE.OrthographicCamera;
  }
  get isOrthographic(): boolean {
    return this.camera === this.orthographic;
  }
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.shapeOrthographic(this.halfHeight());
  }

  /// Looks from a standard direction at a box so that it fills the picture.
  view(direction: [number, number, number], box: THREE.Box3): void {
    const d = new THREE.Vector3(...direction).normalize();
    if (Math.abs(d.z) > 0.999) d.set(0, -1e-3, Math.sign(d.z)).normalize();  // straight down: north is +y
    this.frame(d, box);
  }
  fit(box: THREE.Box3): void {
    this.frame(this.camera.position.clone().sub(this.controls.target).normalize(), box);
  }

  private frame(direction: THREE.Vector3, box: THREE.Box3): void {
    const centre = box.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360) / 1.1;
    // The nearest eye from which every corner of the box is inside the picture.
    let [distance, tall] = [1e-6, 1e-6];
    for (let k = 0; k < 8; k++) {
      const v = new THREE.Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      const height = Math.max(Math.abs(v.dot(up)), Math.abs(v.dot(right)) / this.aspect);
      distance = Math.max(distance, height / tangent + v.dot(direction));
      tall = Math.max(tall, 1.1 * height);
    }
    this.look(centre.clone().addScaledVector(direction, distance), centre, tall);
  }

  look(position: THREE.Vector3, target: THREE.Vector3, tall?: number): void {
    for (const camera of [this.perspective, this.orthographic]) camera.position.copy(position);
    this.controls.target.copy(target);
    this.orthographic.zoom = 1;
    this.shapeOrthographic(tall ?? position.distanceTo(target) * Math.tan((this.perspective.fov * Math.PI) / 360));
    this.controls.update();
    this.setClipping();
  }

  setOrthographic(on: boolean): void {
    if (on === this.isOrthographic) return;
    const from = this.camera;
    const to = on ? this.orthographic : this.perspective;
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    if (on) {
      to.position.copy(from.position);
      this.orthographic.zoom = 1;
      this.shapeOrthographic(this.distance * tangent);
    } else {
      const distance = this.halfHeight() / this.orthographic.zoom / tangent;
      const direction = from.position.clone().sub(this.controls.target).normalize();
      to.position.copy(this.controls.target).addScaledVector(direction, distance);
    }
    this.controls.object = to;
    this.controls.update();
    this.setClipping();
  }

  /// Keeps the eye at the same place relative to a moving point; null lets go.
  follow(point: THREE.Vector3 | null): void {
    if (point && this.followed) {
      const shift = point.clone().sub(this.followed);
      if (shift.lengthSq() > 0) {
        this.controls.target.add(shift);
        this.camera.position.add(shift);
        this.controls.update();
      }
    }
    this.followed = point ? point.clone() : null;
  }
  centreOn(point: THREE.Vector3): void {
    const shift = point.clone().sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.controls.update();
  }

  /// Turns by angles in radians (keys), or moves nearer.
  turn(azimuth: number, elevation: number): void {
    const offset = new THREE.Spherical();
    const v = this.camera.position.clone().sub(this.controls.target);
    const toY = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 1, 0));
    offset.setFromVector3(v.applyQuaternion(toY));
    offset.theta += azimuth;
    offset.phi = Math.min(Math.PI - 0.01, Math.max(0.01, offset.phi - elevation));
    v.setFromSpherical(offset).applyQuaternion(toY.invert());
    this.camera.position.copy(this.controls.target).add(v);
    this.controls.update();
  }
  zoom(factor: number): void {
    if (this.isOrthographic) {
      this.orthographic.zoom *= factor;
      this.orthographic.updateProjectionMatrix();
    } else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  /// Near and far around what is looked at, so that depth keeps its precision.
  setClipping(radius = 0): void {
    const d = Math.max(this.distance, radius, 1e-6);
    for (const camera of [this.perspective, this.orthographic]) {
      camera.near = camera === this.orthographic ? -20 * d : d / 200;
      camera.far = 30 * d;
      camera.updateProjectionMatrix();
    }
  }

  private halfHeight(): number {
    return this.orthographic.top;
  }
  private shapeOrthographic(tall: number): void {
    Object.assign(this.orthographic, { top: tall, bottom: -tall, left: -tall * this.aspect, right: tall * this.aspect });
    this.orthographic.updateProjectionMatrix();
  }
}
