// SPDX-License-Identifier: Apache-2.0
// Live mode against the mock server: commands, parameters, pulling a body, a connection that breaks.
import assert from 'node:assert/strict';
import { startMock } from '../mock/server.mjs';
import { inspected, open, project, until } from './browser.mjs';

const commands = (mock) => mock.log.commands.map((c) => c.command);

/// What a paused run can be looked back through.
const lookBack = { name: 'live: a stopped run is looked back through, and goes on from the present', run: async (browser) => {
  const mock = await startMock('mixture', { live: true });
  try {
    const page = await open(browser, `${mock.url}?plots=&select=body:1`, { width: 1200 });
    const time = () => page.evaluate(() => window.cairn.picture.frame?.time ?? 0);
    const kept = () => page.evaluate(() => ({ length: window.cairn.live.window.length, oldest: window.cairn.live.window.oldest.time, newest: window.cairn.live.window.newest.time }));
    await until(async () => (await kept().catch(() => ({ length: 0 }))).length > 12, 'frames are kept');
    // Scrubbing stops the run and shows a moment that has passed.
    await page.locator('#scrub').fill('0.06');
    await until(async () => Math.abs((await time()) - 0.06) < 0.05 && /Go on/.test(await page.getAttribute('#play', 'title')), 'the past is shown, the run has stopped');
    const then = await time();
    const shown = await page.evaluate(() => Array.from(window.cairn.picture.frame.f32.subarray(window.cairn.picture.frame.position + 3, window.cairn.picture.frame.position + 6)));
    await until(async () => JSON.stringify(await inspected(page, 'position')) === JSON.stringify(shown), 'the numbers are of that moment');
    assert.match(await page.textContent('#inspector'), /single precision/);
    assert.match(await page.textContent('#time'), /s ago/);
    // Back and forth by keys; nothing is computed meanwhile.
    const { newest } = await kept();
    const sent = mock.log.commands.length;
    await page.locator('#canvas').focus();
    await page.keyboard.press('ArrowRight');
    await until(async () => (await time()) > then + 1e-9, 'one picture on');
    await page.keyboard.press('ArrowLeft');
    await until(async () => Math.abs((await time()) - then) < 1e-9, 'and back');
    await page.keyboard.press('Home');
    await until(async () => Math.abs((await time()) - (await kept()).oldest) < 1e-9, 'to the oldest');
    assert.equal(mock.log.commands.length, sent);
    assert.equal((await kept()).newest, newest);
    // A body cannot be pulled in the past.
    const [place] = await project(page, [shown]);
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x + 40, place.y, { steps: 3 });
    await page.mouse.up();
    assert.equal(mock.log.drags.length, 0);
    await page.keyboard.press('End');
    await until(async () => Math.abs((await time()) - newest) < 1e-9 && !/ago/.test(await page.textContent('#time')), 'the present is back');
    // From the present a step is computed; from the past the run goes on at its present.
    await page.click('#step-forward');
    await until(async () => (await time()) > newest + 1e-9, 'a new step');
    await page.click('#step-back');
    await until(async () => (await time()) <= newest + 1e-9, 'back again');
    const present = (await kept()).newest;
    await page.click('#play');
    await until(async () => (await time()) > present + 1e-9, 'it goes on');
    assert.ok((await kept()).oldest < then + 1e-9, 'what was kept is still there');
    assert.deepEqual(page.problems, []);
  } finally {
    await mock.close().catch(() => {});
  }
} };

export const liveTests = [lookBack, { name: 'live: runs, pauses, steps, resets; parameters; a body is pulled; the connection comes back', run: async (browser) => {
  const mock = await startMock('mixture', { live: true });
  try {
    const page = await open(browser, mock.url, { width: 1200 });
    const time = () => page.evaluate(() => window.cairn.picture.frame?.time ?? 0);
    await until(async () => (await time()) > 0.1, 'it runs');
    await page.click('#play');
    await until(() => commands(mock).includes('pause'), 'pause is sent');
    await until(async () => /Go on/.test(await page.getAttribute('#play', 'title')), 'the button shows it');
    // Frames that were on their way may still come.
    let stopped = await time();
    await until(async () => {
      const before = stopped;
      await page.waitForTimeout(500);
      stopped = await time();
      return stopped === before;
    }, 'it stands');
    await page.click('#step-forward');
    await until(async () => Math.abs((await time()) - stopped - 0.02) < 1e-6, 'one step');
    await page.click('#reset');
    await until(async () => (await time()) < 1e-9, 'back at the start');
    assert.match(await page.textContent('.budget'), /500 µs of 20\.0 ms per step/);

    await page.locator('#parameter-gravity-z').fill('-1.8');
    await until(() => mock.log.commands.some((c) => c.command === 'set' && c.name === 'gravity.z' && c.value === -1.8), 'gravity is set');
    await page.locator('.parameter[data-name="friction.stone.stone"] input[type=number]').fill('7');
    await page.keyboard.press('Enter');
    await until(async () => /cannot be 7/.test(await page.textContent('.notices')), 'a refusal is shown in words');

    // The ball, 2 m up at the start, is pulled 120 pixels to the right.
    const [place] = await project(page, [[0, 0, 2]]);
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x + 60, place.y, { steps: 4 });
    await page.waitForTimeout(50);
    await page.mouse.move(place.x + 120, place.y, { steps: 4 });
    await until(() => mock.log.drags.length > 1, 'the pull is sent');
    const drag = mock.log.drags.at(-1);
    assert.equal(drag.body, 1);
    const [there] = await project(page, [drag.target]);
    assert.ok(Math.abs(there.x - place.x - 120) < 25 && Math.abs(there.y - place.y) < 25, 'the target is under the mouse');
    assert.ok(Math.abs(Math.hypot(...drag.point) - 0.3) < 0.02, `the point is on the ball: ${drag.point}`);
    await until(() => page.evaluate(() => Math.abs(window.cairn.picture.frame.f32[window.cairn.picture.frame.position + 3]) > 0.05), 'the body moves');
    assert.match(await page.textContent('.budget'), /pull 5\.00 N/);
    await until(async () => /ball is pulled with 5\.00 N/.test(await page.textContent('.legend')), 'and said in the legend');
    await page.mouse.up();
    await until(() => commands(mock).includes('release'), 'it is let go');
    assert.deepEqual(page.problems, []);

    await mock.close();
    await until(async () => /connection to the run is lost/.test(await page.textContent('.notices')), 'the loss is said');
    const again = await startMock('mixture', { live: true, port: mock.port });
    await until(async () => !(await page.$('.notice[data-key="reach"]')), 'it comes back');
    await again.close();
  } finally {
    await mock.close().catch(() => {});
  }
} }];
