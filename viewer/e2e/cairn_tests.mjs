// SPDX-License-Identifier: Apache-2.0
// The page with the real server: examples are run, viewed, and what the page says is compared with the HDF5 file itself.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { countColours, countPixels, decodePng, hue, inspected, open, project, until } from './browser.mjs';
import { run, view } from './cairn.mjs';
import { frameNow } from './recording_tests.mjs';

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');
const example = (name) => join(ROOT, 'examples', name);

/// A recording of a scene for a while, seen through `cairn view`.
function withRun(name, scene, options, test) {
  return { name: `cairn: ${name}`, run: async (browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-e2e-'));
    const file = join(folder, 'run.h5');
    try {
      await run(example(scene), file, options);
      const server = await view(file);
      try {
        await test(browser, server, file);
      } finally {
        await server.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } };
}

/// Numbers of a data set as h5dump writes them; null where h5dump is missing.
async function dump(file, path, start, count) {
  try {
    const { stdout } = await promisify(execFile)('h5dump', ['-d', path, '-s', start, '-c', count, '-m', '%.17g', '-y', '-w', '0', file]);
    return stdout.slice(stdout.indexOf('DATA {')).match(/-?\d[\d.e+-]*/g).map(Number);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

export const cairnTests = [
  withRun('showcase: opens, plays, a clicked body has the numbers of the HDF5 file', 'showcase.yaml', ['--duration', '1.2'], async (browser, server, file) => {
    const page = await open(browser, `${server.url}?frame=66&plots=energy`);
    const index = await page.evaluate(() => window.cairn.model.bodies.findIndex((b) => b.name === 'ball'));
    const numbers = await (await fetch(`${server.url}api/body?frame=66&index=${index}`)).json();
    const [place] = await project(page, [numbers.position]);
    await page.mouse.click(place.x, place.y);
    await page.waitForSelector('#selected-name');
    if ((await page.textContent('#selected-name')) !== 'ball') await page.evaluate((k) => window.cairn.select({ kind: 'body', index: k }), index);  // it may be hidden behind a slab
    assert.deepEqual(await inspected(page, 'position'), numbers.position);
    assert.deepEqual(await inspected(page, 'velocity'), numbers.velocity);
    const recorded = await dump(file, '/frame/position', `66,${index},0`, '1,1,3');
    if (recorded) assert.deepEqual(numbers.position, recorded);
    const orientation = await dump(file, '/frame/orientation', `66,${index},0`, '1,1,4');
    if (orientation) assert.deepEqual(await inspected(page, 'orientation'), orientation);
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await until(async () => (await frameNow(page)) > 4, 'it plays');
    await page.waitForSelector('[data-plot="energy"] canvas');
    const picture = await decodePng(browser, await page.locator('#canvas').screenshot());
    assert.ok(countColours(picture) > 40);
    assert.deepEqual(page.problems, []);
    for (const url of page.asked) assert.ok(url.startsWith(server.url) || url.startsWith('data:'), `asked ${url}`);
  }),

  withRun('arch: the line of thrust stays inside the stones, and is drawn', 'arch.yaml', ['--duration', '1'], async (browser, server) => {
    const page = await open(browser, `${server.url}?time=1&layers=thrust,edges&camera=front&plots=`);
    // Heyman: an arch stands where a line of thrust fits inside it. R 5 m, thickness 0.6 m.
    const contacts = await page.evaluate(() => {
      const f = window.cairn.picture.frame;
      return Array.from({ length: f.nc }, (_, c) => ({ bodies: [f.i32[f.bodies + 2 * c], f.i32[f.bodies + 2 * c + 1]].sort((a, b) => a - b).join(), point: Array.from(f.f32.subarray(f.point + 3 * c, f.point + 3 * c + 3)), force: [0, 1, 2].reduce((s, k) => s + f.f32[f.normal + 3 * c + k] * f.f32[f.force + 3 * c + k], 0) }));
    });
    const pairs = Map.groupBy ? Map.groupBy(contacts, (c) => c.bodies) : contacts.reduce((m, c) => m.set(c.bodies, [...(m.get(c.bodies) ?? []), c]), new Map());
    assert.equal(pairs.size, 28);
    for (const list of pairs.values()) {
      const total = list.reduce((s, c) => s + c.force, 0);
      const centre = [0, 2].map((k) => list.reduce((s, c) => s + c.force * c.point[k], 0) / total);
      const r = Math.hypot(...centre);
      assert.ok(r > 4.7 - 1e-3 && r < 5.3 + 1e-3, `centre of pressure at ${r} m`);
    }
    const picture = await decodePng(browser, await page.screenshot());
    const red = (c) => Math.abs(hue(c).hue - 342) < 12 && hue(c).saturation > 0.6;
    assert.ok(countPixels(picture, red) > 300, 'the line is drawn');
    assert.match(await page.textContent('.legend'), /line of thrust, most .* kN/);
  }),

  withRun('mechanism zoo: joints, their numbers and plots', 'mechanism_zoo.yaml', ['--duration', '0.3'], async (browser, server) => {
    const page = await open(browser, `${server.url}?layers=joints,edges&select=joint:0&plots=joint:0:reaction,coordinate:0&frame=5`);
    const numbers = await (await fetch(`${server.url}api/joint?frame=5&index=0`)).json();
    assert.deepEqual(await inspected(page, 'force'), numbers.force);
    await page.waitForSelector('[data-plot="joint:0:reaction"] canvas');
    await page.waitForSelector('[data-plot="coordinate:0"] canvas');
    assert.deepEqual(page.problems, []);
  }),

  withRun('every shape has a surface; affine bodies too', 'shapes.yaml', ['--duration', '0.1'], async (browser, server) => {
    const page = await open(browser, `${server.url}?plots=`);
    const without = await page.evaluate(() => window.cairn.model.bodies.filter((b, k) => b.shape >= 0 && !window.cairn.picture.bodies.forms[k] && window.cairn.model.shapes[b.shape].kind !== 'half-space').map((b) => b.name));
    assert.deepEqual(without, []);
    assert.ok(countColours(await decodePng(browser, await page.locator('#canvas').screenshot())) > 30);
    assert.deepEqual(page.problems, []);
  }),

  withRun('a client that talks nonsense or leaves does not stop the server; a foreign site is refused', 'drop.yaml', [], async (browser, server) => {
    const page = await open(browser, `${server.url}?plots=`);
    for (const path of ['api/frames?from=-1&count=9', 'api/frames?from=0&count=100000000', 'api/body?frame=99999&index=0', 'api/shape?index=abc', 'api/series?name=../../etc/passwd', 'nothing', '%00']) {
      const response = await fetch(server.url + path);
      if (response.status >= 400) assert.ok((await response.json()).error.length > 5, path);
      else await response.arrayBuffer();
    }
    const foreign = await fetch(`${server.url}api/model`, { headers: { Origin: 'http://evil.example' } });
    assert.equal(foreign.status, 403);
    await page.keyboard.press('End');
    await until(() => page.evaluate(() => window.cairn.picture.frame.index === window.cairn.frames - 1), 'the page still works');
  }),

  { name: 'cairn: live: a run is watched, stopped, stepped, and a body is pulled by the mouse', run: async (browser) => {
    const server = await view(example('drop.yaml'));
    try {
      const page = await open(browser, `${server.url}?plots=residual`);
      const time = () => page.evaluate(() => window.cairn.picture.frame?.time ?? 0);
      await until(async () => (await time()) > 0, 'it runs');
      await page.click('#play');
      await until(async () => /Go on/.test(await page.getAttribute('#play', 'title')), 'it has stopped');
      await page.click('#reset');
      await until(async () => (await time()) < 0.02, 'it is back at the start');
      await page.waitForTimeout(200);
      const before = await time();
      await page.click('#step-forward');
      await until(async () => (await time()) > before, 'one step');
      const body = await page.evaluate(() => window.cairn.model.bodies.findIndex((b) => b.kind === 'rigid'));
      const place = async () => (await page.evaluate((k) => Array.from(window.cairn.picture.frame.f32.subarray(window.cairn.picture.frame.position + 3 * k, window.cairn.picture.frame.position + 3 * k + 3)), body));
      await page.click('#play');
      const start = await place();
      const [at] = await project(page, [start]);
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      for (let k = 1; k <= 12; k++) {
        await page.mouse.move(at.x + 8 * k, at.y - 4 * k);
        await page.waitForTimeout(40);
      }
      await until(async () => Math.hypot(...(await place()).slice(0, 2).map((x, i) => x - start[i])) > 0.02, 'the body follows the mouse');
      await page.mouse.up();
      assert.match(await page.textContent('.budget'), /per step/);
      assert.deepEqual(page.problems, []);
    } finally {
      await server.close();
    }
  } },

  { name: 'cairn: a recording that is cut off is refused in words or shown as far as it goes', run: async (browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-e2e-'));
    try {
      const file = join(folder, 'run.h5');
      await run(example('drop.yaml'), file);
      const whole = (await readFile(file)).length;
      await truncate(file, Math.floor(whole / 2));
      let words = '';
      try {
        const server = await view(file);
        const page = await open(browser, server.url, { ready: false });
        await until(() => page.evaluate(() => document.querySelector('.cover.error') || window.cairn?.picture?.frame), 'the page says or shows something');
        words = await page.textContent('body');
        await server.close();
      } catch (error) {
        words = error.message;
      }
      assert.match(words, /cut|trunc|damag|cannot|not finished|frame/i);
      await writeFile(file, 'no recording');
      await assert.rejects(view(file), /run\.h5/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } },
];
