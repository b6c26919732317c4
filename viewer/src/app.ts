// SPDX-License-Identifier: Apache-2.0
// The running page: holds the state, moves time, asks for frames, and keeps picture, numbers and plots at the same moment.
import { PlotPanel, DEFAULT_PLOTS } from './plots/panel';
import { serverSource } from './plots/source';
import type { Client } from './protocol/client';
import { Refused, Unreachable } from './protocol/client';
import type { Frame } from './protocol/frame';
import type { ShapeMesh } from './protocol/mesh';
import { bodyName, type Model } from './protocol/model';
import { LiveSocket, socketAddress } from './protocol/socket';
import { meshesNeeded } from './scene/geometry';
import { Picture } from './scene/picture';
import { formatState, type Selection, type ViewState } from './state';
import { FrameCache } from './time/cache';
import { Clock, nearestIndex } from './time/clock';
import { LiveRun } from './live_run';
import { DisplayPanel } from './ui/display';
import { download } from './ui/dom';
import { Grab } from './ui/grab';
import { Inspector } from './ui/inspector';
import { Notices, showCover, type Layout } from './ui/layout';
import { LegendView } from './ui/legend';
import { fillBar, fillTools, makeShortcuts } from './ui/controls';
import { isDark, toggleTheme } from './ui/theme';
import { Timeline } from './ui/timeline';
import { Tree } from './ui/tree';
import type { Shortcuts } from './ui/help';

const RETRY = 1500;         // milliseconds between attempts to find a lost server
const EVENTS_WITHIN = 0.3;  // seconds of one look for events
const EVENTS_PAUSE = 100;   // milliseconds between two, in which others are served

export class App {
  readonly clock = new Clock();
  readonly notices: Notices;
  readonly cache: FrameCache;
  picture!: Picture;
  display!: DisplayPanel;
  tree!: Tree;
  plots!: PlotPanel;
  timeline: Timeline | null = null;
  live: LiveRun | null = null;
  shortcuts!: Shortcuts;
  private inspector!: Inspector;
  private legend!: LegendView;
  private grab!: Grab;
  private shown: { frame: Frame; next: Frame | null; alpha: number } | null = null;
  private selected: Selection = null;
  private trackedPair: { bodies: [number, number]; point: [number, number, number] } | null = null;
  private lastTick = 0;
  private waiting: (() => void)[] = [];
  private lost = false;
  private finding = false;
  private pace = 0;        // seconds between pictures while something moves
  private coarse = false;
  /// Pictures drawn since the start, for the frame-rate script.
  drawCount = 0;

  constructor(readonly layout: Layout, readonly client: Client, readonly model: Model, readonly state: ViewState) {
    this.notices = new Notices(layout.notices);
    this.cache = new FrameCache((from, count) => client.frames(from, count, model.has_contacts), 0);
    client.onReach = (reached) => this.reach(reached);
  }

  get isLive(): boolean {
    return this.model.mode === 'live';
  }
  get frames(): number {
    return this.clock.times.length;
  }
  get selection(): Selection {
    return this.selected;
  }

  async start(): Promise<void> {
    const { layout, model, state } = this;
    const meshes = await this.loadMeshes();
    this.picture = new Picture(layout.canvas, model, meshes, state);
    this.picture.setTheme(isDark());
    this.buildPanels();
    new ResizeObserver(() => this.resize()).observe(layout.view);
    this.resize();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.themeChanged());
    if (this.isLive) this.live!.connect(socketAddress(location));
    else await this.startRecording();
    showCover(layout.cover, 'none');
    this.picture.stage.rig.setOrthographic(state.orthographic);
    if (!this.picture.setCamera(state.camera)) {
      this.notices.set('camera', `camera=${state.camera} in the address is neither a standard view nor six numbers`);
      this.picture.setCamera('iso');
    }
    if (state.select) this.select(state.select);
    requestAnimationFrame((now) => this.tick(now));
  }

  private async loadMeshes(): Promise<Map<number, ShapeMesh>> {
    const needed = meshesNeeded(this.model);
    const meshes = new Map<number, ShapeMesh>();
    let done = 0;
    const queue = [...needed];
    const work = async () => {
      for (let k = queue.shift(); k !== undefined; k = queue.shift()) {
        meshes.set(k, await this.client.shape(k));
        if (++done % 20 === 0) showCover(this.layout.cover, 'loading', 'Opening', `shape ${done} of ${needed.length}`);
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    return meshes;
  }

  private async startRecording(): Promise<void> {
    const { state, clock } = this;
    await this.takeTimes();
    while (!this.frames) {  // a run that has just begun has no frame yet
      if (!clock.growing) throw new Error('This recording has no frames: the run ended before the first one was written.');
      showCover(this.layout.cover, 'empty', 'Waiting for the first frame', 'The run has begun and has written nothing yet.');
      await new Promise((done) => setTimeout(done, 500));
      await this.takeTimes();
    }
    if (clock.growing) new LiveSocket(socketAddress(location), { frame() {}, status() {}, parameters() {}, error: (words) => this.notices.set('socket', words, 'error'), connected() {}, grew: () => void this.takeTimes().catch(() => {}) });
    clock.speed = state.speed;
    this.picture.colours.setStart(await this.cache.get(0));
    if (state.frame !== null) clock.seekFrame(state.frame);
    else if (state.time !== null) clock.seekFrame(nearestIndex(clock.times, state.time));
    this.display_(await this.cache.get(clock.frame), null, 0);
    for (const id of state.plots ?? DEFAULT_PLOTS) if (state.ui && !this.plots.add(id, 'end')) this.notices.set('plots', `there is no plot '${id}'`);
    void this.findEvents();
    if (state.play) clock.play();
  }

  /// In pieces: a recording of many gigabytes is looked through while it is already shown.
  private async findEvents(): Promise<void> {
    if (this.finding) return;
    this.finding = true;
    try {
      for (let complete = false; !complete; ) {
        const found = await this.client.events(EVENTS_WITHIN);
        complete = found.complete;
        this.timeline?.setEvents(found.events, complete ? null : found.until);
        if (!complete) await new Promise((done) => setTimeout(done, EVENTS_PAUSE));
      }
      this.notices.set('events', '');
    } catch (problem) {
      if (!(problem instanceof Unreachable)) this.notices.set('events', `No events: ${(problem as Error).message}`, 'info');
    } finally {
      this.finding = false;
    }
  }

  private async takeTimes(): Promise<void> {
    const { times, complete } = await this.client.times();
    this.clock.times = times;
    this.cache.total = times.length;
    const finished = this.clock.growing && complete;
    this.clock.growing = !complete;
    if (finished) void this.plots.reload();
    if (this.timeline && this.shown) void this.findEvents();  // not the first time: it has grown
    this.notices.set('growing', complete ? '' : 'This recording is still being written, or its run was cut off.', 'info');
  }

  private buildPanels(): void {
    const { layout, model, state } = this;
    const available = { contacts: model.has_contacts, joints: model.joints.length > 0, deforms: model.bodies.some((b) => b.deforms), edges: this.picture.bodies.edgesPossible };
    if (this.isLive) this.live = new LiveRun(this);
    this.display = new DisplayPanel(layout.left, state, available, (what) => {
      if (what === 'colour') this.picture.applyColour();
      else this.picture.applyLook();
      this.picture.redoLayers();
      this.drawLegend();
    });
    this.tree = new Tree(layout.left, model, (s) => this.select(s, true), (body) => this.hide(body), (body) => this.picture.bodies.hidden[body] === 1);
    this.inspector = new Inspector(layout.right, model, this.client, { select: (s) => this.select(s), follow: (on) => this.follow(on), fit: () => this.fit(), plot: (id) => this.plots.add(id), isFollowing: () => this.state.follow });
    const source = this.live?.history ?? serverSource(this.client);
    this.plots = new PlotPanel(layout.right, model, source, () => (this.isLive ? this.shown?.frame.time ?? 0 : this.clock.time), (t) => this.seek(t), () => {});
    this.legend = new LegendView(layout.legend, (top) => {
      this.picture.colours.fixedTop = top;
      this.picture.applyColour();
      this.drawLegend();
    });
    if (!this.isLive) this.timeline = new Timeline(layout.time, this.clock, model.interval || model.step, { toggle: () => this.togglePlay(), step: (n) => this.clock.step(n), seek: (t) => this.seek(t), changed: () => {} });
    else for (const id of state.plots ?? DEFAULT_PLOTS) if (state.ui) this.plots.add(id, 'end');
    this.grab = new Grab({ picture: this.picture, canPull: () => this.isLive && !this.live!.lookedAt, layersOn: () => ({ contacts: ['points', 'arrows', 'cones', 'penetration', 'pressure'].some((l) => state.layers.has(l as 'points') && l !== 'penetration'), joints: state.layers.has('joints') }),
      clicked: (hit) => this.select(hit ? { kind: hit.kind, index: hit.index } : null), fitted: (body) => this.picture.stage.rig.fit(this.picture.bodyBox(body)), send: (command) => this.live?.send(command) });
    this.shortcuts = makeShortcuts(this);
    fillBar(this);
    fillTools(this);
  }

  togglePlay(): void {
    if (this.live) return this.live.panel.toggle();
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
  }
  /// A moment chosen by a person: the nearest frame.
  seek(time: number): void {
    if (this.live) return this.live.look(time, false);
    this.clock.seekFrame(nearestIndex(this.clock.times, time));
  }

  select(selection: Selection, reveal = false): void {
    const list = selection?.kind === 'body' ? this.model.bodies : selection?.kind === 'joint' ? this.model.joints : null;
    if (list && !list[selection!.index]) {
      this.notices.set('select', `there is no ${selection!.kind} ${selection!.index}; there are ${list.length}`);
      selection = null;
    }
    this.selected = selection;
    this.state.select = selection;
    if (!selection || selection.kind !== 'body') this.follow(false);
    this.trackedPair = null;
    const frame = this.picture.frame;
    if (selection?.kind === 'contact' && frame && selection.index < frame.nc) {
      const [b, p] = [frame.bodies + 2 * selection.index, frame.point + 3 * selection.index];
      this.trackedPair = { bodies: [frame.i32[b], frame.i32[b + 1]], point: [frame.f32[p], frame.f32[p + 1], frame.f32[p + 2]] };
    }
    if (selection?.kind === 'joint' && reveal && !this.state.layers.has('joints')) this.display.setLayer('joints', true);
    this.tree.mark(selection);
    this.plots.offer(selection, this.trackedPair?.bodies ?? null);
    this.picture.select(selection);
    this.inspector.refresh();
  }

  follow(on: boolean): void {
    this.state.follow = on && this.selected?.kind === 'body';
    const point = this.state.follow ? this.picture.bodyPosition(this.selected!.index) : null;
    this.picture.stage.rig.follow(null);
    if (point) {
      this.picture.stage.rig.centreOn(point);
      this.picture.stage.rig.follow(point);
    }
  }
  fit(): void {
    const { picture, selected } = this;
    picture.stage.rig.fit(selected?.kind === 'body' ? picture.bodyBox(selected.index) : picture.box());
  }
  hide(body: number): void {
    this.picture.bodies.hidden[body] ^= 1;
    this.redraw();
  }
  showAll(): void {
    this.picture.bodies.hidden.fill(0);
    this.tree.draw();
    this.redraw();
  }
  private redraw(): void {
    if (this.shown) this.display_(this.shown.frame, this.shown.next, this.shown.alpha);
  }
  switchTheme(): void {
    toggleTheme();
    this.themeChanged();
  }
  private themeChanged(): void {
    this.picture.setTheme(isDark());
    void this.plots.reload();
  }

  /// The address of this very view.
  link(): string {
    const state = { ...this.state, time: this.isLive ? null : Number(this.clock.time.toPrecision(9)), camera: this.picture.cameraText(), plots: this.plots.ids, orthographic: this.picture.stage.rig.isOrthographic };
    return `${location.origin}${location.pathname}?${formatState(state)}`;
  }
  savePicture(): void {
    this.picture.stage.invalidate();
    this.picture.stage.draw();
    this.layout.canvas.toBlob((blob) => blob && download(`${(this.model.title || 'cairn').replace(/[^\w-]+/g, '_')}.png`, blob));
  }

  /// For pictures and movies made by programs: puts a moment on the canvas and resolves when it is there.
  async show(moment: { time?: number; frame?: number }): Promise<void> {
    this.clock.pause();
    if (moment.frame !== undefined) this.clock.seekFrame(moment.frame);
    else if (moment.time !== undefined) this.clock.seekFrame(nearestIndex(this.clock.times, moment.time));
    await this.cache.get(this.clock.frame);
    await this.drawn();
  }
  /// Resolves after plots are there and the next picture is drawn.
  async drawn(): Promise<void> {
    await this.plots.settled();
    this.picture.stage.invalidate();
    await new Promise<void>((done) => this.waiting.push(done));
  }

  private tick(now: number): void {
    this.keepPace((now - this.lastTick) / 1000);
    const seconds = Math.min(0.25, (now - this.lastTick) / 1000);
    this.lastTick = now;
    let buffering = false;
    if (this.live) this.live.tick((frame) => this.display_(frame, null, 0));
    else buffering = this.moveRecording(seconds);
    if (this.state.follow && this.selected?.kind === 'body') this.picture.stage.rig.follow(this.picture.bodyPosition(this.selected.index));
    this.grab.draw();
    if (this.picture.stage.draw()) this.drawCount++;
    this.timeline?.update(buffering);
    this.plots.update();
    void this.inspector.update(this.selected, this.picture.frame?.index ?? 0, this.clock.playing || (this.live?.running ?? false), this.live?.lookedAt ?? null);
    if (!buffering && this.waiting.length) this.waiting.splice(0).forEach((done) => done());
    requestAnimationFrame((next) => this.tick(next));
  }

  /// Motion that cannot be drawn in time is drawn coarser until it stops; pictures asked for in high quality never are.
  private keepPace(seconds: number): void {
    const moving = this.clock.playing || (this.live?.running ?? false);
    this.pace = moving ? 0.8 * this.pace + 0.2 * seconds : 0;
    const coarse = moving && this.state.quality !== 'high' && this.pace > (this.coarse ? 0.03 : 0.1);
    if (coarse === this.coarse) return;
    this.coarse = coarse;
    this.resize();
  }

  /// Moves the clock and shows what it says; true while the frame has not come yet. The clock waits for frames.
  private moveRecording(seconds: number): boolean {
    const { clock, cache, state } = this;
    const before = clock.time;
    clock.advance(seconds);
    const direction = clock.playing || clock.time >= before ? 1 : -1;
    const i = clock.frame;
    cache.want(i, direction);
    const frame = cache.peek(i);
    if (!frame) {
      const error = cache.error(i);
      if (error && !(error instanceof Unreachable)) {
        this.notices.set('frame', `Frame ${i + 1} cannot be shown: ${error.message}`, 'error');
        if (error instanceof Refused || clock.playing) clock.pause();
      } else if (clock.playing) clock.time = before;
      return true;
    }
    this.notices.set('frame', '');
    let [next, alpha]: [Frame | null, number] = [null, 0];
    if (clock.playing && state.interpolate && i + 1 < clock.times.length) {
      next = cache.peek(i + 1);
      if (next) alpha = (clock.time - clock.times[i]) / (clock.times[i + 1] - clock.times[i]);
    }
    if (frame !== this.shown?.frame || alpha !== this.shown.alpha) this.display_(frame, next, alpha);
    return false;
  }

  private display_(frame: Frame, next: Frame | null, alpha: number): void {
    const fresh = frame !== this.shown?.frame;
    this.shown = { frame, next, alpha };
    if (frame.nb !== this.model.bodies.length) throw new Error(`a frame has ${frame.nb} bodies, the model ${this.model.bodies.length}`);
    this.picture.show(frame, next, alpha);
    if (fresh && this.trackedPair) this.trackContact(frame);
    if (this.selected) this.picture.select(this.selected);
    if (fresh) this.drawLegend();
  }

  /// Contacts are numbered anew in each frame: the selected one is the nearest of the same pair.
  private trackContact(frame: Frame): void {
    const { bodies, point } = this.trackedPair!;
    let [best, distance] = [-1, Infinity];
    for (let c = 0; c < frame.nc; c++) {
      if (frame.i32[frame.bodies + 2 * c] !== bodies[0] || frame.i32[frame.bodies + 2 * c + 1] !== bodies[1]) continue;
      const p = frame.point + 3 * c;
      const d = Math.hypot(frame.f32[p] - point[0], frame.f32[p + 1] - point[1], frame.f32[p + 2] - point[2]);
      if (d < distance) [best, distance] = [c, d];
    }
    if (best < 0) return void (this.notices.set('contact', 'The selected contact is open at this moment.', 'info'));
    this.notices.set('contact', '');
    const p = frame.point + 3 * best;
    this.trackedPair!.point = [frame.f32[p], frame.f32[p + 1], frame.f32[p + 2]];
    this.selected = { kind: 'contact', index: best };
  }

  drawLegend(): void {
    const pull = this.picture.frame?.pull;
    this.legend.update(this.picture.colours, this.state.layers, this.model.has_contacts ? this.picture.contacts.scales : null, pull ? { name: bodyName(this.model, pull.body), force: Math.hypot(...pull.force) } : null);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.layout.view;
    if (!width || !height) return;
    const ratio = Math.min(this.picture.stage.software ? 1 : 2, window.devicePixelRatio || 1);
    this.picture.stage.resize(width, height, this.state.quality === 'high' ? window.devicePixelRatio : this.coarse ? 0.5 * ratio : ratio);
    this.picture.redoLayers();
    this.picture.stage.draw();
  }

  /// A server that is gone is said once and looked for until it is back.
  private reach(reached: boolean): void {
    if (reached === !this.lost) return;
    this.lost = !reached;
    this.notices.set('reach', reached ? '' : 'The connection to Cairn is lost. Trying again …', 'error');
    this.layout.root.classList.toggle('lost', this.lost);
    if (!this.lost) {
      this.notices.flash('Connected again.');
      void this.plots?.reload();
      this.inspector?.refresh();
      return;
    }
    const again = () => {
      if (!this.lost) return;
      void this.client.times().then(() => {}, () => {}).finally(() => setTimeout(again, RETRY));
    };
    setTimeout(again, RETRY);
  }
}
