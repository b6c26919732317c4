// SPDX-License-Identifier: Apache-2.0
// A real headless Chromium for tests and pictures: how it is started, and what its pictures hold.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

export function findChromium() {
  return PLACES.find((path) => path && existsSync(path)) ?? null;
}

export async function launch(extra = []) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: install Debian\'s package chromium, or name one by CHROMIUM=/path');
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...extra] });
}

/// Opens the page and waits until its picture is there. Collects what the page complains about and where it asks.
export async function open(browser, url, { width = 900, height = 500, dark = false, ready = true, patience = 30000, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true, ...more });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.problems = [];
  page.asked = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('request', (request) => page.asked.push(request.url()));
  await page.goto(url);
  if (ready) await page.evaluate(() => window.cairnReady);
  return page;
}

/// Pixels of a PNG as {width, height, at(x, y) -> [r, g, b]}, decoded by the browser itself.
export async function decodePng(browser, png) {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const bytes = pen.getImageData(0, 0, image.width, image.height).data;
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return { width: image.width, height: image.height, data: btoa(text) };
  }, png.toString('base64'));
  await page.close();
  const bytes = Buffer.from(data, 'base64');
  const at = (x, y) => Array.from(bytes.subarray(4 * (Math.round(y) * width + Math.round(x)), 4 * (Math.round(y) * width + Math.round(x)) + 3));
  return { width, height, at };
}

export const luminance = ([r, g, b]) => (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;

/// Hue in degrees and saturation of a colour.
export function hue([r, g, b]) {
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const d = high - low;
  const h = d === 0 ? 0 : high === r ? ((g - b) / d + 6) % 6 : high === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return { hue: 60 * h, saturation: high === 0 ? 0 : d / high };
}

/// How many clearly different colours a picture has (steps of 16), looked at every `step` pixels.
export function countColours(picture, step = 3) {
  const seen = new Set();
  for (let y = 0; y < picture.height; y += step) for (let x = 0; x < picture.width; x += step) seen.add(picture.at(x, y).map((c) => c >> 4).join());
  return seen.size;
}

export function countPixels(picture, wanted, step = 1) {
  let n = 0;
  for (let y = 0; y < picture.height; y += step) for (let x = 0; x < picture.width; x += step) if (wanted(picture.at(x, y))) n++;
  return n;
}

/// Where world points are on the canvas, in CSS pixels of the page.
export function project(page, points) {
  return page.evaluate((list) => {
    const { stage } = window.cairn.picture;
    const box = stage.canvas.getBoundingClientRect();
    const vector = stage.rig.camera.position.constructor;
    return list.map((p) => {
      const s = stage.project(new vector(...p));
      return { x: s.x + box.left, y: s.y + box.top, z: s.z };
    });
  }, points);
}

/// The number behind a row of the inspector, in full precision.
export async function inspected(page, key) {
  await page.waitForSelector(`#inspector tr[data-key="${key}"]`);
  return page.$$eval(`#inspector tr[data-key="${key}"] [data-value]`, (cells) => cells.map((cell) => Number(cell.dataset.value)));
}

export async function until(condition, what, milliseconds = 15000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`did not happen within ${milliseconds} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}
