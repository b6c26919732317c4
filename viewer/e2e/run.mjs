// SPDX-License-Identifier: Apache-2.0
// End-to-end tests in headless Chromium:  node e2e/run.mjs [FILTER]
// With CAIRN=path of the program also against the real server: scenes are run, viewed, and compared with their recordings.
// CAIRN_DIST=folder of the built page, where that is not dist/.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, launch } from './browser.mjs';
import { mockTests } from './recording_tests.mjs';
import { pageTests } from './page_tests.mjs';
import { liveTests } from './live_tests.mjs';
import { cairnTests } from './cairn_tests.mjs';

const filter = new RegExp(process.argv[2] ?? '', 'i');
const SKIPPED = 77;  // what CTest is told to take as "skipped"

if (!findChromium()) {
  console.log('skipped: there is no Chromium (Debian package chromium)');
  process.exit(SKIPPED);
}
const dist = process.env.CAIRN_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
const note = join(dist, '../failed');
if (process.env.CAIRN_DIST && existsSync(note)) {
  console.log(`FAIL  the page could not be built: ${readFileSync(note, 'utf8')}`);
  process.exit(1);
}
if (!existsSync(join(dist, 'index.html'))) {
  console.log(`skipped: the page is not built (see ${dist}); npm run build`);
  process.exit(SKIPPED);
}
const tests = [...mockTests, ...pageTests, ...liveTests, ...(process.env.CAIRN ? cairnTests : [])].filter((test) => filter.test(test.name));
const browser = await launch();
let failed = 0;

async function runOne(test) {
  const begin = Date.now();
  const own = [];
  const mine = { newPage: () => browser.newPage(), newContext: async (options) => {
    const context = await browser.newContext(options);
    own.push(context);
    return context;
  } };
  try {
    await Promise.race([test.run(mine), new Promise((_, fail) => setTimeout(() => fail(new Error('took longer than 90 s')), 90000).unref())]);
    console.log(`ok    ${test.name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${test.name}\n      ${String(error.stack ?? error).replaceAll('\n', '\n      ')}`);
  }
  for (const context of own) await context.close();
}

const queue = [...tests];
const worker = async () => {
  for (let test = queue.shift(); test; test = queue.shift()) await runOne(test);
};
await Promise.all([worker(), worker()]);  // two at a time: most of a test is waiting
await browser.close();
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exit(failed || !tests.length ? 1 : 0);
