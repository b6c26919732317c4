// SPDX-License-Identifier: Apache-2.0
// What is selected, seen through everything: the body's surface tinted with its outline, or a ring around a point.
import * as THREE from 'three';
import type { BodiesView } from './bodies';

export const ACCENT = '#ff7a1a';

export class Highlight {
  readonly object = new THREE.Group();
  private readonly tint = new THREE.MeshBasicMaterial({ color: ACCENT, transparent: true, opacity: 0.2, depthTest: false, depthWrite: false, toneMapped: false });
  private readonly line = new THREE.LineBasicMaterial({ color: ACCENT, depthTest: false, transparent: true, toneMapped: false });
  private readonly surface = new THREE.Mesh(undefined, this.tint);
  private readonly outline = new THREE.LineSegments(undefined, this.line);
  private readonly ring: THREE.Sprite;
  private body = -1;

  constructor() {
    this.ring = new THREE.Sprite(new THREE.SpriteMaterial({ map: ringTexture(), depthTest: false, sizeAttenuation: false, toneMapped: false }));
    this.ring.scale.setScalar(0.035);
    for (const part of [this.surface, this.outline]) part.matrixAutoUpdate = false;
    [this.surface, this.outline, this.ring].forEach((part, k) => {
      part.frustumCulled = false;
      part.renderOrder = 50 + k;
      part.visible = false;
      this.object.add(part);
    });
  }

  /// Body K (or -1) and, for a contact or joint, its point.
  update(bodies: BodiesView, body: number, point: THREE.Vector3 | null): void {
    const geometry = body >= 0 ? bodies.geometry(body) : null;
    this.surface.visible = this.outline.visible = geometry !== null;
    if (geometry) {
      if (body !== this.body) {
        this.surface.geometry = geometry;
        this.outline.geometry.dispose();
        this.outline.geometry = new THREE.EdgesGeometry(geometry, 25);
      }
      bodies.matrix(body, this.surface.matrix);
      this.outline.matrix.copy(this.surface.matrix);
      for (const part of [this.surface, this.outline]) part.matrixWorldNeedsUpdate = true;
    }
    this.body = geometry ? body : -1;
    this.ring.visible = point !== null;
    if (point) this.ring.position.copy(point);
  }
}

function ringTexture(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d')!;
  for (const [width, colour] of [[10, 'rgba(0,0,0,.35)'], [6, ACCENT]] as const) {
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.arc(32, 32, 24, 0, 2 * Math.PI);
    pen.stroke();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}
