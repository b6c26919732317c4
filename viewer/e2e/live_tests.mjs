// SPDX-License-Identifier: Apache-2.0
// Live mode against the mock server: commands, parameters, pulling a body, a connection that breaks.
import assert from 'node:assert/strict';
import { startMock } from '../mock/server.mjs';
import { open, project, until } from './browser.mjs';

const commands = (mock) => mock.log.commands.map((c) => c.command);

export const liveTests = [{ name: 'live: runs, pauses, steps, resets; parameters; a body is pulled; the connection comes back', run: async (browser) => {
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
