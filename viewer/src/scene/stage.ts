// SPDX-License-Identifier: Apache-2.0
// Renderer, lights, shadows and background. Draws only when something changed.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import type { Quality } from './bodies';
import { CameraRig } from './camera';
import { installExactNormals } from './geometry';

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly rig: CameraRig;
  readonly quality: Quality;
  readonly software: boolean;
  readonly slow: boolean;  ///< the processor draws: it is spared what costs most
  private readonly sun = new THREE.DirectionalLight(0xfff6ea, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xdfe9f5, 0x8d8a84, 0.95);
  private dirty = true;

  constructor(readonly canvas: HTMLCanvasElement, quality: Quality | 'auto', bodies: number) {
    installExactNormals();
    this.software = isSoftware();
    this.quality = quality === 'auto' ? (this.software || bodies > 20000 ? 'fast' : 'high') : quality;
    this.slow = this.software && this.quality === 'fast';
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.slow, powerPreference: 'high-performance', preserveDrawingBuffer: true });
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.shadowMap.enabled = this.quality === 'high' || bodies <= (this.slow ? 500 : 20000);
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.rig = new CameraRig(canvas, () => this.invalidate());
    if (this.quality === 'high') {
      const generator = new THREE.PMREMGenerator(this.renderer);
      this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      this.scene.environmentIntensity = 0.32;
      this.scene.environmentRotation.x = Math.PI / 2;
      generator.dispose();
    }
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    const size = this.quality === 'high' ? 3072 : 1024;
    this.sun.shadow.mapSize.set(size, size);
    this.sun.shadow.radius = this.quality === 'high' ? 4 : 2;
    this.sun.shadow.intensity = 0.8;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  /// Light and shadow cover a ball around the scene.
  light(centre: THREE.Vector3, radius: number): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new THREE.Vector3(-0.85, -0.2, 1.25).multiplyScalar(2.5 * radius));
    const reach = 1.7 * radius;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.05 * radius, far: 9 * radius });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = (1.6 * reach) / this.sun.shadow.mapSize.x;
    this.sun.shadow.bias = -2e-4;
    this.sun.target.updateMatrixWorld();
    this.shadowsChanged();
  }

  /// Bodies like glass throw no shadow.
  castShadows(on: boolean): void {
    this.sun.castShadow = on;
    this.shadowsChanged();
  }

  setTheme(dark: boolean): void {
    this.scene.background = gradient(dark ? ['#232931', '#12151a'] : ['#fbfcfd', '#dfe4e9']);
    // Without surroundings to reflect, the sky alone has to light the shaded sides.
    this.sky.intensity = (dark ? 0.75 : 0.95) + (this.quality === 'fast' ? 0.75 : 0);
    this.invalidate();
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.invalidate();
  }

  invalidate(): void {
    this.dirty = true;
  }
  shadowsChanged(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }
  get needsDraw(): boolean {
    return this.dirty;
  }
  /// Draws when something changed; true when it did.
  draw(): boolean {
    if (!this.dirty) return false;
    this.dirty = false;
    this.rig.setClipping();
    this.renderer.render(this.scene, this.rig.camera);
    return true;
  }

  /// Position of a world point on the canvas in CSS pixels; z > 1 is behind the eye.
  project(point: THREE.Vector3): THREE.Vector3 {
    const p = point.clone().project(this.rig.camera);
    return new THREE.Vector3(((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight, p.z);
  }
}

function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new Error('This browser has no WebGL 2, which the picture needs. Is it switched off in the settings?');
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function gradient(colours: string[]): THREE.Texture {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2, 256];
  const pen = canvas.getContext('2d')!;
  const fill = pen.createLinearGradient(0, 0, 0, 256);
  colours.forEach((colour, k) => fill.addColorStop(k / (colours.length - 1), colour));
  pen.fillStyle = fill;
  pen.fillRect(0, 0, 2, 256);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}
