// SPDX-License-Identifier: Apache-2.0
// The picture as a whole: ground, bodies, contacts, joints, selection, drawn for one moment.
import * as THREE from 'three';
import { BodyColours } from '../analysis/colouring';
import type { Frame } from '../protocol/frame';
import type { ShapeMesh } from '../protocol/mesh';
import { isHeld, type Model } from '../protocol/model';
import type { Selection, ViewState } from '../state';
import { BodiesView } from './bodies';
import { VIEWS } from './camera';
import { ContactLayer } from './contacts';
import { Ground } from './ground';
import { Highlight } from './highlight';
import { anchorPoint, JointLayer, LinkLayer } from './joints';
import { PullLayer } from './pull';
import { Stage } from './stage';

export class Picture {
  readonly stage: Stage;
  readonly bodies: BodiesView;
  readonly contacts: ContactLayer;
  readonly joints: JointLayer;
  readonly links: LinkLayer;
  readonly pull: PullLayer;
  readonly ground: Ground;
  readonly colours: BodyColours;
  private readonly highlight = new Highlight();
  private readonly size: number;
  private readonly matrix = new THREE.Matrix4();
  frame: Frame | null = null;
  private layersOf: Frame | null = null;
  private hand: { body: number; point: THREE.Vector3; target: THREE.Vector3 } | null = null;

  constructor(canvas: HTMLCanvasElement, readonly model: Model, meshes: Map<number, ShapeMesh>, private readonly state: ViewState) {
    this.stage = new Stage(canvas, state.quality, model.bodies.length);
    this.bodies = new BodiesView(model, meshes, this.stage.quality, this.stage.slow);
    const box = boxOf(model.focus ?? model.bounds);
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length(), 1e-6);
    const centre = box.getCenter(new THREE.Vector3());
    this.size = typicalSize(this.bodies, model, radius);
    this.contacts = new ContactLayer(model, this.size);
    this.joints = new JointLayer(model, this.size);
    this.links = new LinkLayer(model, this.size);
    this.pull = new PullLayer(this.size);
    this.ground = new Ground(model, radius, centre);
    this.colours = new BodyColours(model, this.bodies.volume);
    this.stage.scene.add(this.ground.object, this.bodies.object, this.contacts.object, this.joints.object, this.links.object, this.pull.object, this.highlight.object);
    this.stage.light(centre, radius);
    this.applyLook();
    this.applyColour();
  }

  setTheme(dark: boolean): void {
    this.stage.setTheme(dark);
    this.ground.setTheme(dark);
    this.bodies.setEdgeColour(dark);
  }

  /// Colouring, opacity, edges, depth of the layers: after a change of the state.
  applyLook(): void {
    const { state } = this;
    this.bodies.setOpacity(state.opacity);
    this.stage.castShadows(state.opacity > 0.5);
    this.bodies.showEdges(state.layers.has('edges'));
    this.ground.showGrid(state.layers.has('grid'));
    this.contacts.setThrough(state.through);
    this.contacts.arrowScale = state.arrowScale;
    this.joints.object.visible = state.layers.has('joints');
    this.layersOf = null;
    this.stage.shadowsChanged();
  }
  applyColour(): void {
    if (this.colours.colouring !== this.state.colour || !this.frame) this.colours.choose(this.state.colour);
    if (this.frame) this.colours.update(this.frame);
    this.bodies.setColours(this.colours.linear);
    this.stage.invalidate();
  }

  /// Puts a moment into the picture: a frame, or the share alpha of the way to the next one.
  show(frame: Frame, next: Frame | null, alpha: number): void {
    const fresh = frame !== this.frame;
    this.frame = frame;
    this.bodies.update(frame, next, alpha);
    this.ground.update(frame);
    if (fresh) this.links.update(frame);
    if (fresh && this.colours.update(frame)) this.bodies.setColours(this.colours.linear);
    this.refreshLayers();
    this.drawPull();
    this.stage.shadowsChanged();
  }

  /// The hand of a person at this page, which is where the mouse is now and not where the last frame has it; null: none.
  setHand(hand: { body: number; point: THREE.Vector3; target: THREE.Vector3 } | null): void {
    this.hand = hand;
    this.drawPull();
    this.stage.invalidate();
  }

  private drawPull(): void {
    const recorded = this.frame?.pull;
    const pull = this.hand ?? (recorded ? { body: recorded.body, point: new THREE.Vector3(...recorded.point), target: new THREE.Vector3(...recorded.target) } : null);
    const point = pull ? this.onBody(pull.body, pull.point) : null;
    this.pull.show(point, pull?.target ?? null, this.stage.renderer.getPixelRatio());
  }

  /// A point of a body, given in its own axes, where it is drawn now.
  private onBody(body: number, point: THREE.Vector3): THREE.Vector3 {
    if (this.bodies.forms[body]) return point.clone().applyMatrix4(this.bodyFrame(body));
    return anchorPoint(this.frame!, body, [point.x, point.y, point.z], new THREE.Vector3());
  }

  /// Body axes to world without the scale a shape is drawn with.
  bodyFrame(body: number): THREE.Matrix4 {
    const m = this.bodies.matrix(body, new THREE.Matrix4()) ?? new THREE.Matrix4();
    const [sx, sy, sz] = this.bodies.forms[body]?.scale ?? [1, 1, 1];
    return m.scale(new THREE.Vector3(1 / sx, 1 / sy, 1 / sz));
  }

  refreshLayers(): void {
    if (!this.frame || this.layersOf === this.frame) return;
    this.layersOf = this.frame;
    const ratio = this.stage.renderer.getPixelRatio();
    this.contacts.update(this.frame, this.state.layers, ratio);
    if (this.state.layers.has('joints')) this.joints.update(this.frame, ratio);
    this.stage.invalidate();
  }
  redoLayers(): void {
    this.layersOf = null;
    this.refreshLayers();
  }

  select(selection: Selection): void {
    const point = new THREE.Vector3();
    const { frame } = this;
    let at: THREE.Vector3 | null = null;
    if (frame && selection?.kind === 'contact' && selection.index < frame.nc) at = point.fromArray(frame.f32, frame.point + 3 * selection.index);
    if (frame && selection?.kind === 'joint') {
      const joint = this.model.joints[selection.index];
      if (joint) at = anchorPoint(frame, joint.body_a, joint.anchor_a, point);
    }
    this.highlight.update(this.bodies, selection?.kind === 'body' ? selection.index : -1, at);
    this.stage.invalidate();
  }

  bodyPosition(body: number): THREE.Vector3 | null {
    if (this.bodies.matrix(body, this.matrix)) return new THREE.Vector3().setFromMatrixPosition(this.matrix);
    return this.frame ? new THREE.Vector3().fromArray(this.frame.f32, this.frame.position + 3 * body) : null;
  }

  /// Around all bodies of this moment; held ones only where they are not far larger than the rest (floors, walls).
  box(): THREE.Box3 {
    const { frame, model } = this;
    const box = new THREE.Box3();
    if (!frame) return boxOf(model.focus ?? model.bounds);
    const add = (k: number) => {
      // The body's own box, turned: half sizes across the world's axes are |R| half.
      const [half, scale] = [this.bodies.forms[k]!.half, this.bodies.forms[k]!.scale];
      const m = this.bodies.matrix(k, this.matrix)!.elements;
      const across = (i: number) => [0, 1, 2].reduce((sum, j) => sum + (Math.abs(m[4 * j + i]) / scale[j]) * half[j], 0);
      const [p, r] = [new THREE.Vector3().setFromMatrixPosition(this.matrix), new THREE.Vector3(across(0), across(1), across(2))];
      if (Number.isFinite(p.x + p.y + p.z)) box.union(new THREE.Box3(p.clone().sub(r), p.add(r)));
    };
    const shown = this.bodies.forms.map((form, k) => (form && !this.bodies.hidden[k] ? k : -1)).filter((k) => k >= 0);
    shown.filter((k) => !isHeld(model.bodies[k])).forEach(add);
    const size = box.isEmpty() ? Infinity : 0.5 * box.getSize(new THREE.Vector3()).length();
    shown.filter((k) => isHeld(model.bodies[k]) && this.bodies.forms[k]!.radius < 2 * size).forEach(add);
    if (box.isEmpty()) return boxOf(model.focus ?? model.bounds);
    if (this.ground.hasGround) box.min.z = Math.max(box.min.z, Math.min(boxOf(model.focus ?? model.bounds).min.z, box.max.z));
    return box;
  }

  bodyBox(body: number): THREE.Box3 {
    const centre = this.bodyPosition(body) ?? new THREE.Vector3();
    const r = 2.2 * (this.bodies.forms[body]?.radius ?? this.size);
    return new THREE.Box3(centre.clone().subScalar(r), centre.clone().addScalar(r));
  }

  /// A standard view by name, or "x,y,z,tx,ty,tz"; false when it is neither.
  setCamera(text: string): boolean {
    if (VIEWS[text]) {
      this.stage.rig.view(VIEWS[text], this.box());
      return true;
    }
    const n = text.split(',').map(Number);
    if (n.length !== 6 || n.some((v) => !Number.isFinite(v))) return false;
    this.stage.rig.look(new THREE.Vector3(n[0], n[1], n[2]), new THREE.Vector3(n[3], n[4], n[5]));
    return true;
  }
  cameraText(): string {
    const { camera, controls } = this.stage.rig;
    return [...camera.position.toArray(), ...controls.target.toArray()].map((v) => Number(v.toPrecision(5))).join(',');
  }
}

function boxOf(bounds: [number[], number[]]): THREE.Box3 {
  return new THREE.Box3(new THREE.Vector3(...bounds[0]), new THREE.Vector3(...bounds[1]));
}

/// The middle of the radii of what moves, but in proportion to the scene.
function typicalSize(bodies: BodiesView, model: Model, radius: number): number {
  const radii = bodies.forms.flatMap((form, k) => (form && !isHeld(model.bodies[k]) ? [form.radius] : [])).sort((a, b) => a - b);
  const middle = radii.length ? radii[radii.length >> 1] : 0.2 * radius;
  return Math.min(0.4 * radius, Math.max(0.02 * radius, 1.1 * middle));
}
