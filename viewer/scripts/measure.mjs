// SPDX-License-Identifier: Apache-2.0
// How fast recordings of many bodies are shown:  npm run measure [-- 1000 10000 50000]
// Prints for each size: time until the first picture, pictures per second while playing, memory, triangles. The server is the
// mock with made-up motion, so that only the page is measured. CHROMIUM_FLAGS="..." replaces the software renderer.
import { launch, open } from '../e2e/browser.mjs';
import { startMock } from '../mock/server.mjs';

const sizes = process.argv.slice(2).map(Number).filter((n) => n > 0);
const seconds = 8;
console.log('bodies   contacts  first picture s  pictures/s  write ms  draw ms  heap MB  frames MB  triangles   renderer');
for (const n of sizes.length ? sizes : [1000, 2000, 10000, 50000]) {
  const browser = await launch((process.env.CHROMIUM_FLAGS ?? '').split(' ').filter(Boolean));
  const mock = await startMock(`pile-${n}`);
  mock.scene.frame = remember(mock.scene.frame);  // made once, so that the mock is not what is measured
  const begin = performance.now();
  const page = await open(browser, `${mock.url}?plots=&layers=&${process.env.QUERY ?? ''}`, { width: 1280, height: 720 });
  const first = (performance.now() - begin) / 1000;
  await page.evaluate(() => window.cairn.cache.get(0).then(() => window.cairn.clock.play()));
  await page.waitForTimeout(2000);
  const result = await page.evaluate(async (time) => {
    const { cairn } = window;
    const before = cairn.drawCount;
    const start = performance.now();
    await new Promise((done) => setTimeout(done, 1000 * time));
    const rate = (cairn.drawCount - before) / ((performance.now() - start) / 1000);
    cairn.clock.pause();
    // What a frame costs on the processor: writing matrices, then issuing and finishing the drawing.
    const { picture, cache } = cairn;
    const frame = cairn.picture.frame;
    const repeat = (n, work) => {
      const t = performance.now();
      for (let k = 0; k < n; k++) work();
      return (performance.now() - t) / n;
    };
    const write = repeat(20, () => picture.bodies.update(frame));
    const gl = picture.stage.renderer.getContext();
    const draw = repeat(3, () => {
      picture.stage.shadowsChanged();
      picture.stage.draw();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    });
    return { rate, write, draw, heap: performance.memory?.usedJSHeapSize / 1e6, frames: cache.bytes / 1e6, contacts: frame.nc, triangles: picture.bodies.triangles, software: picture.stage.software };
  }, seconds);
  console.log([String(n).padEnd(8), String(result.contacts).padEnd(9), first.toFixed(1).padEnd(16), result.rate.toFixed(1).padEnd(11), result.write.toFixed(2).padEnd(9), result.draw.toFixed(0).padEnd(8), result.heap.toFixed(0).padEnd(8), result.frames.toFixed(0).padEnd(10), String(result.triangles).padEnd(11), result.software ? 'software' : 'hardware'].join(' '));
  await browser.close();
  await mock.close();
}

function remember(make) {
  const made = new Map();
  return (i) => {
    if (!made.has(i)) made.set(i, make(i));
    return made.get(i);
  };
}
