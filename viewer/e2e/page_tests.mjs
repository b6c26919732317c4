// SPDX-License-Identifier: Apache-2.0
// The page around the picture: narrow, dark, keyboard, addresses for pictures, and everything that can go wrong.
import assert from 'node:assert/strict';
import { startMock } from '../mock/server.mjs';
import { countColours, decodePng, luminance, open, project, until } from './browser.mjs';
import { frameNow, withMock } from './recording_tests.mjs';

const notice = (page, key) => page.textContent(`.notice[data-key="${key}"]`).catch(() => '');
const mean = (picture) => {
  let [sum, n] = [0, 0];
  for (let y = 2; y < picture.height; y += 7) for (let x = 2; x < picture.width; x += 7, n++) sum += luminance(picture.at(x, y));
  return sum / n;
};

export const pageTests = [
  withMock('works in a narrow window: nothing is cut off, panels are tabs', 'mixture', async (browser, mock) => {
    const page = await open(browser, mock.url, { width: 400, height: 800 });
    const sizes = await page.evaluate(() => ({ page: document.documentElement.scrollWidth, bar: document.querySelector('.bar').scrollWidth, time: document.querySelector('.time').scrollWidth, canvas: document.querySelector('#canvas').clientHeight }));
    assert.ok(sizes.page <= 400 && sizes.bar <= 400 && sizes.time <= 400, JSON.stringify(sizes));
    assert.ok(sizes.canvas >= 220);
    assert.ok(await page.isVisible('#inspector'));
    await page.click('.tabs button[data-tab="left"]');
    assert.ok((await page.isVisible('#search')) && !(await page.isVisible('#inspector')));
    await page.click('#play');
    await until(async () => (await frameNow(page)) > 2, 'it plays');
  }),

  withMock('is dark where the system is, and can be switched', 'mixture', async (browser, mock) => {
    const page = await open(browser, mock.url, { dark: true });
    assert.ok(mean(await decodePng(browser, await page.screenshot())) < 0.3);
    await page.click('#theme');
    await page.evaluate(() => window.cairn.drawn());
    assert.ok(mean(await decodePng(browser, await page.screenshot())) > 0.7);
  }),

  withMock('bodies like glass do not darken the ground', 'stack', async (browser, mock) => {
    const ground = async (opacity) => {
      const page = await open(browser, `${mock.url}?ui=0&theme=light&camera=4,-9,6,0,0,1.5&opacity=${opacity}`);
      const [place] = await project(page, [[1, -1.5, 0]]);
      return luminance((await decodePng(browser, await page.screenshot())).at(place.x, place.y));
    };
    const [solid, glass] = [await ground(1), await ground(0.2)];
    assert.ok(solid > 0.7 && Math.abs(solid - glass) < 0.05, `${solid} and ${glass}`);
  }),

  withMock('everything can be reached by keyboard and has a name; help lists the keys', 'mixture', async (browser, mock) => {
    const page = await open(browser, mock.url);
    const nameless = await page.$$eval('button, input, select', (list) => list.filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
    const reached = new Set();
    for (let k = 0; k < 90; k++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement?.id));
    }
    for (const id of ['theme', 'help', 'colour', 'layer-points', 'search', 'canvas', 'play', 'scrub', 'add-plot']) assert.ok(reached.has(id), `${id} is not reached by Tab: ${[...reached]}`);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('?');
    assert.ok(await page.isVisible('dialog.help'));
    assert.match(await page.textContent('dialog.help'), /next event/);
    await page.keyboard.press('Escape');
    assert.ok(!(await page.isVisible('dialog.help')));
  }),

  withMock('standard views, fit, projection: the picture changes and the scene stays in it', 'stack', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=`);
    const seen = new Set();
    for (const key of ['1', '2', '5', '6', 'o', 'f']) {
      await page.keyboard.press(key);
      await page.evaluate(() => window.cairn.drawn());
      const places = await page.evaluate(() => {
        const { stage } = window.cairn.picture;
        const vector = stage.rig.camera.position.constructor;
        return [[0, 0, 0.1], [0, 0, 5]].map((p) => stage.project(new vector(...p))).map((p) => [p.x / stage.canvas.clientWidth, p.y / stage.canvas.clientHeight]);
      });
      for (const [x, y] of places) assert.ok(x > 0 && x < 1 && y > 0 && y < 1, `${key}: ${places}`);
      seen.add(JSON.stringify(places));
    }
    assert.ok(seen.size >= 5, `${seen.size} different views`);
  }),

  withMock('addresses make pictures without a person: moment, camera, layers, no controls', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?time=1&camera=5,-5,3,0,0,0.5&layers=arrows&color=material&ui=0&theme=dark`);
    assert.equal(await frameNow(page), 50);
    assert.ok(!(await page.isVisible('.bar')) && !(await page.isVisible('.time')));
    const size = await page.locator('#canvas').boundingBox();
    assert.deepEqual([size.width, size.height], [900, 500]);
    const first = await page.screenshot();
    await page.evaluate(() => window.cairn.show({ frame: 10 }));
    assert.equal(await page.evaluate(() => window.cairn.picture.frame.index), 10);
    assert.ok(!first.equals(await page.screenshot()), 'another moment is another picture');
    const again = await open(browser, `${mock.url}?time=1&camera=5,-5,3,0,0,0.5&layers=arrows&color=material&ui=0&theme=dark`);
    assert.ok(first.equals(await again.screenshot()), 'the same address is the same picture');
  }),

  withMock('an address with mistakes is said and shown as well as can be', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?color=pink&camera=nowhere&select=body:99`);
    assert.match(await notice(page, 'address'), /color=pink/);
    assert.match(await notice(page, 'camera'), /nowhere/);
    assert.match(await notice(page, 'select'), /no body 99; there are 5/);
  }),

  withMock('a file that cannot be read: the words of the server, and a way to try again', 'stack', async (browser, mock) => {
    mock.faults.model = 'run.h5: the recording is cut off after 3 bytes';
    const page = await open(browser, mock.url, { ready: false });
    await page.waitForSelector('.cover.error');
    assert.match(await page.textContent('.cover'), /cut off after 3 bytes/);
    mock.faults.model = null;
    await page.click('.cover button');
    await page.waitForSelector('.cover', { state: 'hidden' });
  }),

  withMock('a frame that is refused or cut off is said; the page goes on with others', 'stack', async (browser, mock) => {
    for (const [fault, words] of [['404', /Frame \d+ cannot be shown: there is no frame/], ['truncate', /Frame \d+ cannot be shown: a frame is cut off/]]) {
      mock.faults.frames = null;
      const page = await open(browser, `${mock.url}?plots=`);
      mock.faults.frames = fault;
      await page.evaluate(() => window.cairn.cache.clear());
      await page.keyboard.press('End');
      await until(async () => words.test(await notice(page, 'frame')), `${fault} is said`);
      mock.faults.frames = null;
      await until(async () => !(await page.$('.notice[data-key="frame"]')), 'it is gone when the frame comes');
      assert.equal(await page.evaluate(() => window.cairn.picture.frame.index), 50);
    }
  }),

  { name: 'a server that is gone is said, looked for, and found again', run: async (browser) => {
    const mock = await startMock('stack');
    const page = await open(browser, `${mock.url}?plots=`);
    await mock.close();
    await page.evaluate(() => window.cairn.cache.clear());
    await page.keyboard.press('End');
    await until(async () => /connection to Cairn is lost/.test(await notice(page, 'reach')), 'the loss is said');
    const again = await startMock('stack', { port: mock.port });
    try {
      await until(async () => !(await page.$('.notice[data-key="reach"]')), 'it is found again');
      await until(() => page.evaluate(() => window.cairn.picture.frame.index === 50), 'the frame comes');
    } finally {
      await again.close();
    }
  } },

  withMock('a recording still being written grows on the page', 'stack', async (browser, mock) => {
    mock.faults.growTo = 5;
    const page = await open(browser, `${mock.url}?plots=`);
    assert.equal(await page.evaluate(() => window.cairn.frames), 5);
    assert.match(await notice(page, 'growing'), /still being written/);
    mock.faults.growTo = 30;
    await until(() => page.evaluate(() => window.cairn.frames === 30), 'it has grown');
    mock.faults.growTo = 51;
    mock.faults.complete = true;
    await until(() => page.evaluate(() => window.cairn.frames === 51 && !window.cairn.clock.growing), 'it is complete');
  }, { complete: false }),

  withMock('waits for the first frame of a run that has just begun', 'stack', async (browser, mock) => {
    mock.faults.growTo = 0;
    const page = await open(browser, mock.url, { ready: false });
    await page.waitForSelector('.cover.empty');
    mock.faults.growTo = 3;
    await page.waitForSelector('.cover', { state: 'hidden' });
    const picture = await decodePng(browser, await page.locator('#canvas').screenshot());
    assert.ok(countColours(picture) > 20);
  }, { complete: false }),

  withMock('two thousand bodies on a software renderer', 'pile-2000', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=&play=1`);
    await until(async () => (await frameNow(page)) > 3, 'it plays');
    const picture = await decodePng(browser, await page.locator('#canvas').screenshot());
    assert.ok(countColours(picture) > 30);
    assert.deepEqual(page.problems, []);
  }),
];
