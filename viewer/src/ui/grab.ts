// SPDX-License-Identifier: Apache-2.0
// The mouse on the picture: a click selects, a double click fits, and in live mode a drag on a body pulls it by a spring.
import * as THREE from 'three';
import { isHeld } from '../protocol/model';
import type { Command } from '../protocol/socket';
import { casterAt, pick, pickBody, type Pick } from '../scene/pick';
import type { Picture } from '../scene/picture';

export interface GrabHost {
  picture: Picture;
  /// Whether a body can be pulled now: in a live run, at the present.
  canPull(): boolean;
  layersOn(): { contacts: boolean; joints: boolean };
  clicked(hit: Pick | null): void;
  fitted(body: number): void;
  send(command: Command): void;
}

const STILL_PIXELS = 4;  // a press that moves less is a click
const SEND_EVERY = 16;   // milliseconds

export class Grab {
  private down: { x: number; y: number } | null = null;
  private held: { body: number; own: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3 } | null = null;
  private sent = 0;

  constructor(private readonly host: GrabHost) {
    const { canvas } = host.picture.stage;
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', (event) => this.release(event));
    canvas.addEventListener('dblclick', (event) => {
      const hit = pickBody(host.picture.stage, host.picture.bodies, event.offsetX, event.offsetY);
      if (hit) host.fitted(hit.index);
    });
  }

  private press(event: PointerEvent): void {
    this.down = { x: event.offsetX, y: event.offsetY };
    const { picture } = this.host;
    if (!this.host.canPull() || event.button !== 0 || !picture.frame) return;
    const hit = pickBody(picture.stage, picture.bodies, event.offsetX, event.offsetY);
    if (!hit || isHeld(picture.model.bodies[hit.index])) return;
    const { rig, canvas } = picture.stage;
    const own = hit.point.clone().applyMatrix4(picture.bodyFrame(hit.index).invert());
    const facing = rig.camera.getWorldDirection(new THREE.Vector3());
    this.held = { body: hit.index, own, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point), target: hit.point.clone() };
    rig.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (!this.held) return;
    const { stage } = this.host.picture;
    casterAt(stage, event.offsetX, event.offsetY).ray.intersectPlane(this.held.plane, this.held.target);
    const now = performance.now();
    if (now - this.sent < SEND_EVERY) return;
    this.sent = now;
    this.send();
  }

  private release(event: PointerEvent): void {
    const { picture } = this.host;
    if (this.held) {
      this.host.send({ command: 'release' });
      this.held = null;
      picture.stage.rig.controls.enabled = true;
      picture.setHand(null);
    }
    if (!this.down || event.button !== 0) return;
    const still = Math.hypot(event.offsetX - this.down.x, event.offsetY - this.down.y) < STILL_PIXELS;
    this.down = null;
    if (!still || !picture.frame) return;
    this.host.clicked(pick(picture.stage, picture.bodies, picture.model, picture.frame, event.offsetX, event.offsetY, this.host.layersOn()));
  }

  private send(): void {
    const { body, own, target } = this.held!;
    this.host.send({ command: 'drag', body, point: [own.x, own.y, own.z], target: [target.x, target.y, target.z] });
  }

  /// The spring as an arrow to where the mouse is now.
  draw(): void {
    if (this.held) this.host.picture.setHand({ body: this.held.body, point: this.held.own, target: this.held.target });
  }
}
