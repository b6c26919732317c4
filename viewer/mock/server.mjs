// SPDX-License-Identifier: Apache-2.0
// A server that speaks docs/viewer-protocol.md over made-up scenes: the fixture of the page's tests.
//   node mock/server.mjs SCENE [--live] [--port P]     SCENE: stack, arch, mixture, pile-N
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { encodeFrame, encodeSeries, encodeTimes } from './encode.mjs';
import { sceneByName } from './scenes.mjs';

const DIST = process.env.CAIRN_DIST ?? join(fileURLToPath(new URL('.', import.meta.url)), '../dist');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/// Starts it; resolves with {port, url, faults, close, scene, log}. `faults` is changed by tests:
/// frames: 'truncate' | '404', model: words, growTo: frames known so far.
export async function startMock(name, { port = 0, live = false, complete = true } = {}) {
  const scene = sceneByName(name);
  const faults = { frames: null, model: null, growTo: scene.times.length, complete, delay: 0 };
  const log = { drags: [], commands: [], requests: [] };
  const server = createServer((request, response) => {
    answer(scene, faults, live, log, new URL(request.url, 'http://mock'), response).catch((error) => refuse(response, 500, String(error)));
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  if (live) sockets.on('connection', (socket) => runLive(scene, socket, log));
  else sockets.on('connection', (socket) => watchGrowth(faults, socket));
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const close = () => new Promise((done) => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close(done);
  });
  return { port: server.address().port, url: `http://127.0.0.1:${server.address().port}/`, scene, faults, log, close };
}

function refuse(response, status, words) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: words }));
}

async function answer(scene, faults, live, log, url, response) {
  const number = (key, otherwise) => (url.searchParams.has(key) ? Number(url.searchParams.get(key)) : otherwise);
  const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const bytes = (value) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(value);
  const known = Math.min(faults.growTo, scene.times.length);
  log.requests.push(url.pathname + url.search);
  if (faults.delay) await new Promise((done) => setTimeout(done, faults.delay));
  switch (url.pathname) {
    case '/api/model':
      if (faults.model) return refuse(response, 422, faults.model);
      return json({ ...scene.model, mode: live ? 'live' : 'recording', complete: faults.complete, ...(live ? { parameters: PARAMETERS } : {}) });
    case '/api/shape': {
      const mesh = scene.mesh?.(number('index', 0));
      return mesh ? bytes(mesh) : refuse(response, 404, `there is no mesh for shape ${number('index', 0)}`);
    }
    case '/api/times':
      return bytes(encodeTimes(scene.times.slice(0, known), faults.complete));
    case '/api/frames': {
      const from = number('from', 0);
      if (faults.frames === '404' || from >= known) return refuse(response, 404, `there is no frame ${from}; the recording has ${known}`);
      const frames = [];
      for (let i = from, size = 0; i < Math.min(known, from + Math.min(256, number('count', 1))) && size < 32 << 20; i++) {
        frames.push(encodeFrame({ ...scene.frame(i), time: scene.times[i], index: i }));
        size += frames.at(-1).length;
      }
      const all = Buffer.concat(frames);
      return bytes(faults.frames === 'truncate' ? all.subarray(0, all.length - 16) : all);
    }
    case '/api/body': return json(bodyNumbers(scene, number('frame', 0), number('index', 0)));
    case '/api/joint': {
      const joint = scene.frame(number('frame', 0)).joints[number('index', 0)];
      return json({ time: scene.times[number('frame', 0)], ...joint, coordinates: [{ name: 'hinge angle', unit: 'rad', value: scene.frame(number('frame', 0)).coordinates[0] }], laws: [] });
    }
    case '/api/contact': {
      const contact = scene.frame(number('frame', 0)).contacts[number('index', 0)];
      return contact ? json({ time: scene.times[number('frame', 0)], ...contact, state: ['open', 'stick', 'slip'][contact.state] }) : refuse(response, 404, 'there is no such contact');
    }
    case '/api/series': return series(scene, url.searchParams.get('name') ?? '', bytes, (words) => refuse(response, 404, words));
    case '/api/events': return json(url.searchParams.has('within') ? eventsWithin(scene, faults) : scene.events);
    default: return file(url.pathname, response);
  }
}

function bodyNumbers(scene, i, k) {
  const frame = scene.frame(i);
  const three = (list) => Array.from(list.slice(3 * k, 3 * k + 3));
  const force = [0, 0, 0];
  let contacts = 0;
  for (const c of frame.contacts) {
    const sign = c.bodies[0] === k ? 1 : c.bodies[1] === k ? -1 : 0;
    if (!sign) continue;
    contacts++;
    c.force.forEach((f, a) => (force[a] += sign * f));
  }
  const velocity = three(frame.velocity);
  return {
    time: scene.times[i], position: three(frame.position), orientation: Array.from(frame.orientation.slice(4 * k, 4 * k + 4)), velocity,
    angular_velocity: three(frame.angularVelocity), kinetic_energy: 0.5 * (scene.model.bodies[k].mass ?? 0) * velocity.reduce((s, v) => s + v * v, 0),
    deformation: frame.deformed?.find((d) => d.body === k)?.matrix ?? null, contact_force: force, contacts, pull: frame.pull?.body === k ? frame.pull : null,
  };
}

function series(scene, name, bytes, refuseWith) {
  const t = scene.times;
  const of = (make) => bytes(encodeSeries(t, t.map((time, i) => make(i, time))));
  let match;
  if ((match = /^body\.(\d+)\.(position|velocity|angular_velocity)\.(x|y|z)$/.exec(name))) {
    const [, k, what, axis] = match;
    return of((i) => {
      const frame = scene.frame(i);
      const list = what === 'position' ? frame.position : what === 'velocity' ? frame.velocity : frame.angularVelocity;
      const v = Array.from(list.slice(3 * k, 3 * k + 3));
      return v['xyz'.indexOf(axis)];
    });
  }
  if (name === 'pull.force') return of((i) => Math.hypot(...(scene.frame(i).pull?.force ?? [0, 0, 0])));
  if (/^joint\.\d+\.force$/.test(name)) return of(() => 9.81);
  if (/^coordinate\.\d+$/.test(name)) return of((i) => scene.frame(i).coordinates[0]);
  if (/^contact\./.test(name)) return of((i) => scene.frame(i).contacts.length);
  if (/^body\.\d+\.speed$/.test(name)) return of((i) => Math.hypot(...Array.from(scene.frame(i).velocity.slice(3 * name.split('.')[1], 3 * name.split('.')[1] + 3))));
  const energy = { kinetic: (t) => 10 * Math.sin(t) ** 2, gravity: (t) => 10 * Math.cos(t) ** 2 - t };
  if (name.startsWith('energy.')) return of((_, time) => energy[name.slice(7)]?.(time) ?? 0);
  if (name.startsWith('work.')) return of((_, time) => (name === 'work.friction' ? -time : 0));
  const certificate = { residual: (i) => 1e-9 * (1 + (i % 7)), penetration: (i) => 1e-6 * (i % 5), iterations: (i) => 10 + (i % 6), contacts: () => 20, seconds_total: () => 5e-4 };
  if (name.startsWith('certificate.') && certificate[name.slice(12)]) return of(certificate[name.slice(12)]);
  return refuseWith(`there is no series '${name}'`);
}

/// One more event with every question, as with a recording that takes long to look through.
function eventsWithin(scene, faults) {
  faults.found = Math.min(scene.events.length, (faults.found ?? 0) + 1);
  return { events: scene.events.slice(0, faults.found), until: scene.events[faults.found - 1]?.time ?? 0, complete: faults.found === scene.events.length };
}

async function file(path, response) {
  const name = normalize(path === '/' ? '/index.html' : path);
  try {
    const data = await readFile(join(DIST, name));
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(data);
  } catch {
    refuse(response, 404, `there is no ${path}`);
  }
}

const PARAMETERS = [{ name: 'gravity.z', label: 'Gravity z', value: -9.81, unit: 'm/s²', min: -30, max: 30, group: 'gravity' }, { name: 'friction.stone.stone', label: 'Friction stone on stone', value: 0.5, unit: '', min: 0, max: 2, group: 'friction' }];

function watchGrowth(faults, socket) {
  let last = '';
  const timer = setInterval(() => {
    const text = JSON.stringify({ times: { frames: faults.growTo, complete: faults.complete } });
    if (text !== last) socket.send((last = text));
  }, 50);
  socket.on('close', () => clearInterval(timer));
}

/// The scene's frames in a circle; a dragged body goes where the mouse is.
function runLive(scene, socket, log) {
  let [paused, i, waiting, drag] = [false, 0, false, null];
  const parameters = structuredClone(PARAMETERS);
  const send = () => {
    const frame = { ...scene.frame(i % scene.times.length), time: i * 0.02, index: i, flags: paused ? 3 : 1 };
    if (drag) {
      frame.position = Array.from(frame.position);
      for (let k = 0; k < 3; k++) frame.position[3 * drag.body + k] = drag.target[k];
      frame.pull = { body: drag.body, point: drag.point, target: drag.target, force: [0, 0, 5] };
    }
    if (!waiting) socket.send(encodeFrame(frame));
    waiting = true;
    socket.send(JSON.stringify({ status: { time: i * 0.02, step: i, paused, seconds_per_step: 5e-4, budget: 0.02, real_time_factor: 1, residual: 1e-9, penetration: 1e-6, contacts: frame.contacts.length, iterations: 12, energy: { kinetic: 1, gravity: 2 }, failed: null, drag: drag ? { ...drag, force: [0, 0, 5] } : null } }));
  };
  const timer = setInterval(() => {
    if (!paused) i++;
    send();
  }, 50);
  socket.on('message', (text) => {
    const message = JSON.parse(text);
    if ('ack' in message) return void (waiting = false);
    log.commands.push(message);
    if (message.command === 'pause') paused = true;
    else if (message.command === 'play') paused = false;
    else if (message.command === 'step') i++;
    else if (message.command === 'reset') i = 0;
    else if (message.command === 'drag') log.drags.push((drag = message));
    else if (message.command === 'release') drag = null;
    else if (message.command === 'set') {
      const parameter = parameters.find((p) => p.name === message.name);
      if (!parameter || message.value < parameter.min || message.value > parameter.max) return socket.send(JSON.stringify({ error: `${message.name} cannot be ${message.value}` }));
      parameter.value = message.value;
      socket.send(JSON.stringify({ parameters }));
    } else if (message.command !== 'speed') socket.send(JSON.stringify({ error: `unknown command ${JSON.stringify(message.command)}` }));
  });
  socket.on('close', () => clearInterval(timer));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const port = args.includes('--port') ? Number(args[args.indexOf('--port') + 1]) : 8765;
  const mock = await startMock(args[0] ?? 'mixture', { port, live: args.includes('--live') });
  console.log(mock.url);
}
