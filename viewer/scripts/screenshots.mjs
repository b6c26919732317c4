// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of the README and the docs anew:  CAIRN=build/release/apps/cairn/cairn npm run screenshots [NAME...]
// Runs the scenes with Cairn, views the recordings with `cairn view` in headless Chromium, writes docs/images/viewer_NAME.png.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open } from '../e2e/browser.mjs';
import { run, view } from '../e2e/cairn.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = resolve(HERE, '../..');
const OUT = join(ROOT, 'docs/images');
const LARGEST = 300_000;  // bytes of a picture
const PATIENCE = 300_000;  // milliseconds for one step of the browser: software rendering on a busy machine is slow

/// What is worth showing: the scene, the moment, the layers. `query` is the page's address.
const PICTURES = [
  { name: 'showcase', scene: 'examples/showcase.yaml', width: 1280, height: 720, query: 'ui=0&time=1.8&camera=-8.6,9.8,6.6,0.2,0.6,0.6' },
  { name: 'arch', scene: 'examples/arch.yaml', width: 1280, height: 640, query: 'ui=0&legend=1&time=5&layers=thrust,edges&camera=1.6,-14.5,3.6,0.1,0,2.3&opacity=0.75' },
  { name: 'card_house', scene: 'viewer/scripts/scenes/card_house.yaml', width: 1280, height: 720, query: 'ui=0&legend=1&time=1&layers=edges,points,arrows&color=stress&camera=-0.45,-0.95,0.42,0,0,0.19' },
  { name: 'pile', scene: 'viewer/scripts/scenes/pile.yaml', width: 880, height: 500, query: 'ui=0&legend=1&frame=100000&layers=chains,edges&opacity=0.13&theme=dark&camera=-0.9,-1.35,0.75,0,0,0.16' },
  { name: 'woodpecker', scene: 'viewer/scripts/scenes/woodpecker.yaml', width: 1440, height: 860, query: 'time=0.62&layers=edges,points,arrows&select=joint:1&plots=body:2:angular_velocity,coordinate:3,pair:0:1,energy&camera=0.02,-0.2,0.225,0.012,0,0.188' },
  { name: 'mechanism_zoo', scene: 'examples/mechanism_zoo.yaml', width: 1440, height: 860, query: 'time=2.4&layers=edges,joints&camera=-0.9,-6.0,1.35,0.02,0,0.74&plots=joint:3:reaction,energy&select=joint:3' },
  { name: 'page', scene: 'examples/showcase.yaml', width: 1240, height: 740, query: 'time=1.3&theme=dark&layers=edges,points,arrows&camera=-13.5,-10.5,7.5,0.6,0,0.6&select=body:87&scale=0.6' },
];

const wanted = process.argv.slice(2);
if (!process.env.CAIRN) {
  console.error('screenshots: name the program by CAIRN=build/release/apps/cairn/cairn');
  process.exit(2);
}
await mkdir(OUT, { recursive: true });
// Recordings are made anew every time: one left behind by a run that was cut off would be drawn as it is.
const work = await mkdtemp(join(tmpdir(), 'cairn-screenshots-'));
const browser = await launch();
const recorded = new Map();

async function draw(picture) {
  if (!recorded.has(picture.scene)) {
    const recording = join(work, `${basename(picture.scene, '.yaml')}.h5`);
    await run(join(ROOT, picture.scene), recording);
    recorded.set(picture.scene, recording);
  }
  const server = await view(recorded.get(picture.scene));
  try {
    const page = await open(browser, `${server.url}?quality=high&${picture.query}`, { width: picture.width, height: picture.height, patience: PATIENCE });
    const png = await page.screenshot();
    if (page.problems.length) throw new Error(page.problems.join('; '));
    await page.context().close();
    return png;
  } finally {
    await server.close();
  }
}

try {
  for (const picture of PICTURES) {
    if (wanted.length && !wanted.includes(picture.name)) continue;
    const file = join(OUT, `viewer_${picture.name}.png`);
    await writeFile(file, await draw(picture).catch((error) => { throw new Error(`screenshots: ${picture.name}: ${error.message}`, { cause: error }); }));
    const { size } = await stat(file);
    console.log(`${file}  ${(size / 1000).toFixed(0)} kB${size > LARGEST ? '  TOO LARGE' : ''}`);
    if (size > LARGEST) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await rm(work, { recursive: true, force: true });
}
