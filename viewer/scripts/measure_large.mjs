// SPDX-License-Identifier: Apache-2.0
// How a recording of several gigabytes is opened:  CAIRN=build/release/apps/cairn/cairn npm run measure-large [-- GIGABYTES [FOLDER]]
// Runs balls that fly in a box and records every step until the file is large enough (CAIRN_LARGE=RUN.h5: takes that one, and leaves it), opens it with `cairn view` in headless Chromium,
// prints time to the first picture, memory of the server, time to random frames, of plots and of all events; then deletes it.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from '../e2e/browser.mjs';
import { view } from '../e2e/cairn.mjs';

const gigabytes = Number(process.argv[2] ?? 3);
const base = process.argv[3] ?? tmpdir();
if (!process.env.CAIRN || !(gigabytes > 0)) {
  console.error('measure-large: name the program by CAIRN=build/release/apps/cairn/cairn; the first argument is a number of gigabytes');
  process.exit(2);
}
const { bavail, bsize } = await statfs(base);
if (bavail * bsize < 1.5 * gigabytes * 1e9) {
  console.error(`measure-large: ${base} has ${(bavail * bsize / 1e9).toFixed(1)} GB left; ${(1.5 * gigabytes).toFixed(1)} are needed`);
  process.exit(2);
}
const folder = await mkdtemp(join(base, 'cairn-large-'));
const file = process.env.CAIRN_LARGE ?? join(folder, 'large.h5');

/// Nothing rests and nothing repeats, so that the data hardly pack; every step is a frame.
const SCENE = `cairn: 1
title: 8000 balls that fly, collide and spin, every step recorded
gravity: [0, 0, 0]
contacts:
  default: {friction: 0.3, restitution: 1}
bodies:
  - {name: "wall {i}", repeat: {i: {from: -1, to: 1}}, when: i != 0, fixed: true, shape: {box: {size: [0.2, 4.6, 4.6]}}, position: ["2.2*i", 0, 0]}
  - {name: "side {i}", repeat: {i: {from: -1, to: 1}}, when: i != 0, fixed: true, shape: {box: {size: [4.6, 0.2, 4.6]}}, position: [0, "2.2*i", 0]}
  - {name: "end {i}", repeat: {i: {from: -1, to: 1}}, when: i != 0, fixed: true, shape: {box: {size: [4.6, 4.6, 0.2]}}, position: [0, 0, "2.2*i"]}
  - name: "ball {k} {i} {j}"
    repeat: {k: 20, i: 20, j: 20}
    density: 2500
    shape: {sphere: {radius: "0.04 + 0.01*((7*k + 5*i + 3*j) % 3)"}}
    position: ["0.2*(i - 9.5)", "0.2*(j - 9.5)", "0.2*(k - 9.5)"]
    velocity: ["2*sin(12.9*i + 78.2*j + 37.7*k)", "2*sin(93.9*i + 67.3*j + 24.1*k)", "2*sin(39.3*i + 11.1*j + 83.2*k)"]
    angular_velocity: ["20*sin(5*i + 3*j + k)", "20*cos(3*i + 7*j + 2*k)", "20*sin(i + 2*j + 9*k)"]
run: {duration: 1000, step: 1/1000, solver: {name: auto, tolerance: 1e-3}}
output: {interval: 0}
`;

const size = async () => (await stat(file).catch(() => ({ size: 0 }))).size;
const seconds = async (work) => {
  const begin = performance.now();
  const value = await work();
  return [(performance.now() - begin) / 1000, value];
};
const memory = async (pid) => {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return { now: Number(/VmRSS:\s+(\d+)/.exec(text)[1]) / 1024, most: Number(/VmHWM:\s+(\d+)/.exec(text)[1]) / 1024 };
};
const spread = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return `median ${(1000 * sorted[sorted.length >> 1]).toFixed(0)} ms, longest ${(1000 * sorted.at(-1)).toFixed(0)} ms`;
};

async function record() {
  const scene = join(folder, 'scene.yaml');
  await writeFile(scene, SCENE);
  const child = spawn(process.env.CAIRN, ['run', scene, '-o', file, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', done));
  while (child.exitCode === null && (await size()) < gigabytes * 1e9) await new Promise((done) => setTimeout(done, 500));
  child.kill('SIGINT');  // ends the recording in order
  await ended;
  if ((await size()) < gigabytes * 1e9) throw new Error(`the run ended at ${((await size()) / 1e9).toFixed(2)} GB`);
}

try {
  const [wrote] = process.env.CAIRN_LARGE ? [NaN] : await seconds(record);
  console.log(`recording            ${((await size()) / 1e9).toFixed(2)} GB${wrote > 0 ? `, made in ${wrote.toFixed(0)} s` : ''}`);
  const [began, server] = await seconds(() => view(file));
  try {
    const api = (path) => fetch(server.url + path).then((answer) => answer.arrayBuffer());
    console.log(`cairn view           address after ${began.toFixed(2)} s, ${(await memory(server.child.pid)).now.toFixed(0)} MB`);
    const [first] = await seconds(() => api('api/model').then(() => api('api/times')).then(() => api('api/frames?from=0&count=1')));
    console.log(`model, times, frame  ${first.toFixed(2)} s without a page`);
    const browser = await launch();
    const [opened, page] = await seconds(() => open(browser, `${server.url}?plots=`, { width: 1280, height: 720 }));
    const facts = await page.evaluate(() => ({ frames: window.cairn.frames, bytes: window.cairn.picture.frame.bytes, bodies: window.cairn.model.bodies.length }));
    console.log(`first picture        ${opened.toFixed(2)} s (${facts.bodies} bodies, ${facts.frames} frames)`);
    const random = (k) => Math.floor((((k * 2654435761) >>> 0) / 2 ** 32) * facts.frames);
    const seeks = [];
    const shown = [];
    for (let k = 1; k <= 30; k++) seeks.push((await seconds(() => api(`api/frames?from=${random(k)}&count=1`)))[0]);
    for (let k = 31; k <= 45; k++) shown.push((await seconds(() => page.evaluate((i) => window.cairn.show({ frame: i }), random(k))))[0]);
    console.log(`a random frame       ${spread(seeks)} from the server; ${spread(shown)} until it is drawn (software renderer), events being looked for meanwhile`);
    for (const name of ['energy.kinetic', 'certificate.residual', 'body.100.position.z']) console.log(`series ${name.padEnd(21)} ${(await seconds(() => api(`api/series?name=${name}&points=2000`)))[0].toFixed(2)} s`);
    const [events] = await seconds(() => page.evaluate(async () => {
      while (window.cairn.finding) await new Promise((done) => setTimeout(done, 100));
    }));
    console.log(`all events           ${events.toFixed(0)} s later; the page works meanwhile`);
    const used = await memory(server.child.pid);
    const heap = await page.evaluate(() => ({ heap: performance.memory?.usedJSHeapSize / 1e6, cache: window.cairn.cache.bytes / 1e6 }));
    console.log(`memory               server ${used.now.toFixed(0)} MB (at most ${used.most.toFixed(0)} MB), page ${heap.heap.toFixed(0)} MB of which frames ${heap.cache.toFixed(0)} MB`);
    await browser.close();
  } finally {
    await server.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
