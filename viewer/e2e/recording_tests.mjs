// SPDX-License-Identifier: Apache-2.0
// A recording in the page: opening, time, selection, layers, colours, plots. Against the mock server, whose numbers are known.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { startMock } from '../mock/server.mjs';
import { countColours, countPixels, decodePng, hue, inspected, luminance, open, project, until } from './browser.mjs';

/// A test with a mock server of its own.
export function withMock(name, scene, run, options) {
  return { name, run: async (browser) => {
    const mock = await startMock(scene, options);
    try {
      await run(browser, mock);
    } finally {
      await mock.close();
    }
  } };
}

export const frameNow = (page) => page.evaluate(() => window.cairn.clock.frame);
const json = async (mock, path) => (await fetch(mock.url + path)).json();
const shot = async (browser, page) => decodePng(browser, await page.screenshot());

export const mockTests = [
  withMock('opens a recording: title, picture, nothing asked elsewhere, no complaint', 'mixture', async (browser, mock) => {
    const page = await open(browser, mock.url);
    assert.match(await page.title(), /mixture/);
    const picture = await decodePng(browser, await page.locator('#canvas').screenshot());
    assert.ok(countColours(picture) > 40, 'the picture has few colours');
    assert.deepEqual(page.problems, []);
    for (const url of page.asked) assert.ok(url.startsWith(mock.url) || url.startsWith('data:'), `asked ${url}`);
  }),

  withMock('plays, pauses, steps and scrubs', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=`);
    assert.equal(await frameNow(page), 0);
    await page.keyboard.press('Space');
    await until(async () => (await frameNow(page)) > 5, 'time moves on');
    await page.click('#play');
    const stopped = await frameNow(page);
    await page.waitForTimeout(150);
    assert.equal(await frameNow(page), stopped);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await frameNow(page), 1);
    await page.keyboard.press('End');
    assert.equal(await frameNow(page), 200);
    await page.locator('#scrub').fill('1');
    assert.equal(await frameNow(page), 50);
    await until(async () => /1\.00 s\s+·\s+frame 51 of 201/.test(await page.textContent('#time')), 'the readout follows');
    await until(() => page.evaluate(() => window.cairn.picture.frame.index === 50), 'the picture follows');
  }),

  withMock('fetches lazily and in blocks', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?frame=100&plots=`);
    const asked = mock.log.requests.filter((path) => path.startsWith('/api/frames'));
    assert.ok(asked.length <= 6, `${asked.length} requests for frames`);
    assert.equal(await page.evaluate(() => window.cairn.picture.frame.index), 100);
  }),

  withMock('a click selects a body; its numbers are those of the server to the last digit', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?frame=20&plots=`);
    const numbers = await json(mock, 'api/body?frame=20&index=1');
    const [place] = await project(page, [numbers.position]);
    await page.mouse.click(place.x, place.y);
    await until(async () => (await page.textContent('#selected-name').catch(() => '')) === 'ball', 'the ball is selected');
    for (const key of ['position', 'orientation', 'velocity', 'angular_velocity', 'contact_force']) assert.deepEqual(await inspected(page, key), numbers[key], key);
    assert.deepEqual(await inspected(page, 'kinetic_energy'), [numbers.kinetic_energy]);
    await page.keyboard.press('ArrowRight');
    const next = await json(mock, 'api/body?frame=21&index=1');
    await until(async () => (await inspected(page, 'position'))[2] === next.position[2], 'the numbers follow time');
    await page.keyboard.press('Escape');
    await until(async () => !(await page.$('#selected-name')), 'nothing is selected');
  }),

  withMock('search by name selects; following keeps the body in the middle', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=`);
    await page.keyboard.press('/');
    await page.keyboard.type('sled');
    await page.keyboard.press('Enter');
    await until(async () => (await page.textContent('#selected-name').catch(() => '')) === 'sledge', 'the sledge is selected');
    await page.keyboard.press('Escape');
    await page.click('#follow');
    await page.keyboard.press('End');
    await until(() => page.evaluate(() => window.cairn.picture.frame.index === 200), 'the end is shown');
    const [place] = await project(page, [(await json(mock, 'api/body?frame=200&index=4')).position]);
    const box = await page.locator('#canvas').boundingBox();
    assert.ok(Math.abs(place.x - box.x - box.width / 2) < 3 && Math.abs(place.y - box.y - box.height / 2) < 3, 'it is in the middle');
  }),

  withMock('contact layers: points in the colour of their state where the contacts are, warnings, arrows, legend with units', 'stack', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?layers=points&camera=front&plots=`);
    // The front corners of box 4 slip (orange), those of box 3 stick (green).
    const [slip, stick] = await project(page, [[0.5, -0.5, 3], [0.5, -0.5, 2]]);
    let picture = await shot(browser, page);
    const near = (a, b) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b)) < 14;
    assert.ok(near(hue(picture.at(slip.x, slip.y)).hue, 41), `slip is ${picture.at(slip.x, slip.y)}`);
    assert.ok(near(hue(picture.at(stick.x, stick.y)).hue, 152), `stick is ${picture.at(stick.x, stick.y)}`);
    const arrow = (c) => near(hue(c).hue, 212) && hue(c).saturation > 0.75 && luminance(c) < 0.5;
    const before = countPixels(picture, arrow, 2);
    await page.check('#layer-arrows');
    await page.check('#layer-penetration');
    await page.evaluate(() => window.cairn.drawn());
    picture = await shot(browser, page);
    assert.ok(countPixels(picture, arrow, 2) > before + 60, 'arrows are drawn');
    const [deep] = await project(page, [[0.5, -0.5, 0]]);
    assert.ok(near(hue(picture.at(deep.x, deep.y)).hue, 354), `a penetration is ${picture.at(deep.x, deep.y)}`);
    const legend = await page.textContent('.legend');
    assert.match(legend, /slip/);
    assert.match(legend, /force, full length .* N/);
    assert.match(legend, /4 deeper than 1\.00 mm/);
  }),

  withMock('every layer and colouring can be switched on without complaint', 'stack', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=`);
    for (const key of 'kauhwtje') await page.keyboard.press(key);
    for (let k = 0; k < 8; k++) await page.keyboard.press('c');
    await page.keyboard.press('x');
    await page.evaluate(() => window.cairn.drawn());
    assert.match(await page.textContent('.legend'), /Contact pressure/);
    assert.deepEqual(page.problems, []);
  }),

  withMock('the line of thrust is drawn where the resultants are', 'arch', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?layers=thrust,edges&camera=front&plots=`);
    // At the crown of 15 blocks the line runs through the middle of block 8; its ends lie e sin(a) outside the mid-line.
    const a = Math.PI - (Math.PI * 7) / 15;
    const r = 5 + 0.08 * Math.sin(a);
    const [place] = await project(page, [[0, 0, r * Math.sin(a)]]);
    const picture = await shot(browser, page);
    const { hue: h, saturation } = hue(picture.at(place.x, place.y));
    assert.ok(Math.abs(h - 342) < 12 && saturation > 0.6, `there is ${picture.at(place.x, place.y)}`);
    assert.match(await page.textContent('.legend'), /line of thrust, most 16\.0 kN/);
  }),

  withMock('bodies take the colour of their speed', 'stack', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?color=speed&camera=front&frame=50&plots=&layers=&legend=0`);
    const places = await project(page, [1, 2, 3, 4, 5].map((k) => [0, -0.5, k - 0.5]));
    const picture = await shot(browser, page);
    const colours = places.map((p) => hue(picture.at(p.x, p.y)).hue);
    // Viridis from blue to yellow: with rising speed the hue falls all the way. The fastest has 0.5 m/s, the end of the scale.
    for (let k = 1; k < 5; k++) assert.ok(colours[k] < colours[k - 1], `hues ${colours}`);
    assert.ok(Math.abs(colours[4] - 54) < 12, `the fastest is yellow: ${colours[4]}`);
    assert.match(await page.textContent('.legend'), /Speed.*500 mm\/s/);
  }),

  withMock('jumps to events, by kind', 'stack', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=`);
    await until(() => page.evaluate(() => window.cairn.timeline.events.length === 3), 'events are there');
    await page.keyboard.press('n');
    assert.equal(await frameNow(page), 10);
    await page.keyboard.press('n');
    assert.equal(await frameNow(page), 25);
    await page.keyboard.press('p');
    assert.equal(await frameNow(page), 10);
    await page.selectOption('#event-kind', 'alarm');
    await page.click('#next-event');
    assert.equal(await frameNow(page), 40);
    assert.match(await page.textContent('.event-text'), /residual 2e-5/);
  }),

  withMock('plots: a click moves time, CSV has the numbers of the series, others can be added', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?plots=residual,body:1:position`, { width: 1200 });
    const over = page.locator('[data-plot="residual"] .u-over');
    const box = await over.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 30);
    await until(async () => Math.abs((await frameNow(page)) - 100) <= 2, 'time is in the middle');
    const download = page.waitForEvent('download');
    await page.click('[data-plot="body:1:position"] button[title="Save the numbers"]');
    const rows = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n').map((line) => line.split(','));
    assert.deepEqual(rows[0], ['time [s]', 'x [m]', 'y [m]', 'z [m]']);
    assert.equal(rows.length, 202);
    assert.equal(Number(rows[31][3]), mock.scene.frame(30).position[5]);
    const png = page.waitForEvent('download');
    await page.click('[data-plot="residual"] button[title="Save the picture"]');
    assert.match((await png).suggestedFilename(), /Residual\.png/);
    const plot = await decodePng(browser, await readFile(await (await png).path()));
    assert.ok(plot.width >= 250 && plot.height >= 100, `the picture has ${plot.width} x ${plot.height} pixels`);
    const blue = (c) => Math.abs(hue(c).hue - 210) < 15 && hue(c).saturation > 0.5;
    assert.ok(countPixels(plot, blue) > 100, 'the curve is in it');
    assert.ok(countPixels(plot, (c) => luminance(c) < 0.5 && hue(c).saturation < 0.4) > 100, 'so are title and numbers');
    await page.selectOption('#add-plot', 'coordinate:0');
    await page.waitForSelector('[data-plot="coordinate:0"] canvas');
    await page.click('[data-plot="coordinate:0"] button[aria-label^="Remove"]');
    assert.equal(await page.$('[data-plot="coordinate:0"]'), null);
  }),

  withMock('contacts and joints can be clicked', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?layers=points,joints&frame=10&plots=&legend=0`);
    const contact = await json(mock, 'api/contact?frame=10&index=0');
    const [at, hinge] = await project(page, [contact.point, [2, 0, 2]]);
    await page.mouse.click(hinge.x, hinge.y);
    await until(async () => (await page.textContent('#selected-name').catch(() => '')) === 'hinge', 'the hinge is selected');
    assert.deepEqual(await inspected(page, 'force'), [0, 0, 9.81]);
    await page.mouse.click(at.x, at.y);
    await until(async () => /contact 0/.test(await page.textContent('#selected-name').catch(() => '')), 'the contact is selected');
    assert.deepEqual(await inspected(page, 'force'), contact.force);
    assert.deepEqual(await inspected(page, 'friction'), [0.1]);
  }),

  withMock('a recorded pull is an arrow, a line of the legend, numbers of its body and a plot', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?frame=160&camera=front&plots=pull&select=body:3`, { width: 1200 });
    const { pull, position } = mock.scene.frame(160);
    assert.deepEqual(await inspected(page, 'pull_force'), pull.force);
    assert.deepEqual(await inspected(page, 'pull_target'), pull.target);
    assert.deepEqual(await inspected(page, 'pull_size'), [13]);
    assert.match(await page.textContent('.legend'), /bob is pulled with 13\.0 N/);
    // Three quarters of the way from the body to the hand, well outside the body's 0.3 m.
    const [at] = await project(page, [[0, 1, 2].map((k) => 0.25 * position[9 + k] + 0.75 * pull.target[k])]);
    const pink = (c) => Math.abs(hue(c).hue - 293) < 15 && hue(c).saturation > 0.5;
    const near = (picture) => [-4, -2, 0, 2, 4].some((x) => [-4, -2, 0, 2, 4].some((y) => pink(picture.at(at.x + x, at.y + y))));
    assert.ok(near(await shot(browser, page)), 'the arrow is there');
    await page.waitForSelector('[data-plot="pull"] canvas');
    await page.evaluate(() => window.cairn.show({ frame: 100 }));
    await until(async () => !(await page.$('#inspector tr[data-key="pull_force"]')), 'nobody pulls at 2 s');
    assert.ok(!near(await shot(browser, page)), 'the arrow is gone');
    assert.doesNotMatch(await page.textContent('.legend'), /pulled/);
  }),

  withMock('an affine body is drawn by its matrix', 'mixture', async (browser, mock) => {
    const page = await open(browser, `${mock.url}?frame=13&plots=`);
    const elements = await page.evaluate(() => {
      const { bodies, stage } = window.cairn.picture;
      return bodies.matrix(2, stage.rig.camera.matrix.clone()).elements;
    });
    const t = 13 * 0.02;
    const shear = 0.4 * Math.sin(6 * t) * Math.exp(-0.4 * t);
    assert.ok(Math.abs(elements[8] - 0.4 * shear) < 1e-6 && Math.abs(elements[0] - 0.4) < 1e-6, `column z is ${elements.slice(8, 11)}`);
  }),
];
