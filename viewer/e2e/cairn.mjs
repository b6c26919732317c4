// SPDX-License-Identifier: Apache-2.0
// The program itself, named by the environment variable CAIRN: runs scenes, serves recordings.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(fileURLToPath(new URL('.', import.meta.url)), '../dist');

/// Runs a scene into a recording; rejects with what the program said.
export function run(scene, recording, more = []) {
  return new Promise((done, fail) => {
    const child = spawn(process.env.CAIRN, ['run', scene, '-o', recording, '--quiet', ...more]);
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    child.on('error', fail);
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`cairn run ${scene} ended with ${code}: ${said}`))));
  });
}

/// Starts `cairn view FILE` on a free port; resolves with {url, child, close, said} when it prints its address.
/// The page is the one in dist/ where that is built; with CAIRN_DIST (as CTest runs it) the one inside the program.
export function view(file, more = []) {
  return serve(['view', file, '--no-open', ...more]);
}
/// The same for `cairn run SCENE --live`.
export function live(scene, more = []) {
  return serve(['run', scene, '--live', '--no-open', ...more]);
}

function serve(args) {
  const page = existsSync(join(DIST, 'index.html')) && !process.env.CAIRN_DIST ? ['--page', DIST] : [];
  const file = args[1];
  return new Promise((done, fail) => {
    const child = spawn(process.env.CAIRN, [...args, '--port', '0', ...page]);
    const server = { child, said: '', url: '', close: (signal = 'SIGTERM') => new Promise((gone) => {
      if (child.exitCode !== null || child.signalCode !== null) return gone();
      child.on('exit', gone);
      child.kill(signal);
      setTimeout(() => child.kill('SIGKILL'), 3000).unref();
    }) };
    const listen = (data) => {
      server.said += data;
      const match = /http:\/\/[\d.]+:\d+\//.exec(server.said);
      if (match && !server.url) {
        server.url = match[0];
        done(server);
      }
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', fail);
    child.on('exit', (code) => !server.url && fail(new Error(`cairn ${args[0]} ${file} ended with ${code}: ${server.said}`)));
  });
}
