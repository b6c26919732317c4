// SPDX-License-Identifier: Apache-2.0
// The page with the real server: examples are run, viewed, and what the page says is compared with the HDF5 file itself.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { countColours, countPixels, decodePng, hue, inspected, open, project, until } from './browser.mjs';
import { live, run, view } from './cairn.mjs';
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
    // A joint with an angle: its row has the number of the frame and the unit.
    const { joint, name } = await page.evaluate(() => window.cairn.model.coordinates.find((c) => c.unit === 'rad'));
    const hinge = await (await fetch(`${server.url}api/joint?frame=5&index=${joint}`)).json();
    await page.evaluate((index) => window.cairn.select({ kind: 'joint', index }), joint);
    const row = page.locator('#inspector tr', { has: page.locator('th', { hasText: new RegExp(`^${name}$`) }) }).first();
    await until(async () => (await row.count()) === 1 && (await row.locator('.unit').textContent()) === 'rad', 'the angle has its unit');
    assert.equal(Number(await row.locator('[data-value]').getAttribute('data-value')), hinge.coordinates.find((c) => c.name === name).value);
    // Rods, ropes and struts are things of their own.
    const links = await page.evaluate(() => ({ drawn: window.cairn.picture.links.count, joints: window.cairn.model.joints.filter((j) => j.type === 'distance').length }));
    assert.ok(links.joints > 0 && links.drawn === links.joints);
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
      // Held while it stands, so that it cannot fall away before the mouse is there.
      const start = await place();
      const [at] = await project(page, [start]);
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('Space');
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

  { name: 'cairn: a pull in a live run is recorded, and shown when the recording is replayed', run: async (browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-e2e-'));
    const file = join(folder, 'run.h5');
    try {
      const server = await live(example('drop.yaml'), ['-o', file, '--duration', '60', '--speed', '1']);
      let body = -1;
      try {
        const page = await open(browser, `${server.url}?plots=`);
        await until(() => page.evaluate(() => (window.cairn.picture.frame?.time ?? 0) > 0), 'it runs');
        body = await page.evaluate(() => window.cairn.model.bodies.findIndex((b) => b.kind === 'rigid'));
        const pulled = () => page.evaluate(() => window.cairn.picture.frame.pull);
        await until(async () => {
          await page.keyboard.press('f');  // the ball has fallen out of the picture
          await page.waitForTimeout(100);
          const [at] = await project(page, [await page.evaluate((k) => Array.from(window.cairn.picture.frame.f32.subarray(window.cairn.picture.frame.position + 3 * k, window.cairn.picture.frame.position + 3 * k + 3)), body)]);
          await page.mouse.move(at.x, at.y);
          await page.mouse.down();
          for (let k = 1; k <= 10; k++) {
            await page.mouse.move(at.x + 6 * k, at.y - 3 * k);
            await page.waitForTimeout(30);
          }
          const there = await pulled();
          await page.waitForTimeout(200);
          await page.mouse.up();
          return there;
        }, 'the frames of the live run have the pull');
        await until(async () => !(await pulled()), 'it is let go');
        assert.deepEqual(page.problems, []);
      } finally {
        await server.close('SIGINT');
      }
      const frames = await dump(file, '/pulls/frame', '0', '1');
      const again = await view(file);
      try {
        const { stdout } = await promisify(execFile)(process.env.CAIRN, ['info', file, '--json']);
        assert.ok(JSON.parse(stdout).pulled_frames > 0, 'info counts them');
        const table = join(folder, 'x.pulls.csv');
        await promisify(execFile)(process.env.CAIRN, ['convert', file, table]);
        const [, first] = (await readFile(table, 'utf8')).split('\n').map((line) => line.split(','));
        const page = await open(browser, `${again.url}?time=${first[0]}&select=body:${body}&plots=pull`, { width: 1200 });
        if (frames) assert.equal(await frameNow(page), frames[0]);
        assert.deepEqual(await inspected(page, 'pull_force'), first.slice(8, 11).map(Number));
        assert.match(await page.textContent('.legend'), /is pulled with .*N/);
        assert.ok(await page.evaluate(() => window.cairn.picture.frame.pull !== null));
        await page.waitForSelector('[data-plot="pull"] canvas');
        assert.deepEqual(page.problems, []);
      } finally {
        await again.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } },

  { name: 'cairn: a recording that is cut off is refused in words by a server that lives on, and shown when it is whole', run: async (browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-e2e-'));
    const file = join(folder, 'run.h5');
    try {
      await run(example('drop.yaml'), file);
      const whole = await readFile(file);
      await truncate(file, Math.floor(whole.length / 2));
      const server = await view(file);
      try {
        assert.match(server.said, /run\.h5: is damaged or cut off/);
        const page = await open(browser, server.url, { ready: false });
        await page.waitForSelector('.cover.error');
        assert.match(await page.textContent('.cover.error'), /run\.h5: is damaged or cut off/);
        const refusal = await fetch(`${server.url}api/model`);
        assert.equal(refusal.status, 500);
        assert.match((await refusal.json()).error, /cut off/);
        await writeFile(file, whole);
        await page.click('.cover.error button');
        await until(() => page.evaluate(() => window.cairn?.picture?.frame?.index === 0), 'the whole file is shown');
      } finally {
        await server.close();
      }
      await writeFile(file, 'no recording');
      await assert.rejects(view(file), /run\.h5/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } },

  { name: 'cairn: a recording is seen to grow while it is written; a run that is killed leaves what it wrote', run: async (browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-e2e-'));
    const file = join(folder, 'run.h5');
    const child = spawn(process.env.CAIRN, ['run', example('showcase.yaml'), '-o', file, '--quiet', '--duration', '600']);
    try {
      await until(() => stat(file).then((s) => s.size > 0, () => false), 'the recording has begun');
      const server = await view(file);
      try {
        const page = await open(browser, `${server.url}?plots=`);
        const frames = () => page.evaluate(() => window.cairn.frames);
        assert.match(await page.textContent('.notices'), /still being written/);
        const before = await frames();
        await until(async () => (await frames()) > before, 'frames come', 30000);
        child.kill('SIGKILL');
        const left = await until(async () => {
          const n = await frames();
          await page.waitForTimeout(2500);  // longer than the server's look at the file
          return n === (await frames()) && n;
        }, 'no more come');
        await page.keyboard.press('End');
        await until(() => page.evaluate((n) => window.cairn.picture.frame.index === n - 1, left), 'the last one is shown');
        assert.match(await page.textContent('.notices'), /its run was cut off/);
        assert.equal((await fetch(`${server.url}api/body?frame=${left - 1}&index=0`)).status, 200);
        assert.deepEqual(page.problems, []);
      } finally {
        await server.close();
      }
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  } },
];
