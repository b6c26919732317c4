// SPDX-License-Identifier: Apache-2.0
// A run that is computed now: takes the newest frame and status from the connection, sends commands.
import type { App } from './app';
import { LiveHistory } from './plots/source';
import type { Frame } from './protocol/frame';
import type { LiveStatus } from './protocol/model';
import { LiveSocket, type Command } from './protocol/socket';
import { showCover } from './ui/layout';
import { FrameWindow } from './time/window';
import { LivePanel } from './ui/live';

const PLOTS_EVERY = 400;    // milliseconds
const STOPS_WITHIN = 3000;  // milliseconds: a run that was asked to stop and still goes on was started again

export class LiveRun {
  readonly history = new LiveHistory();
  readonly panel: LivePanel;
  private socket: LiveSocket | null = null;
  readonly window = new FrameWindow();
  private newest: Frame | null = null;
  private past: Frame | null = null;  // looked back at; null: the present
  private stopAsked = 0;               // when we asked the run to stop and have not heard that it did; 0: not
  private status: LiveStatus | null = null;
  private first = true;
  private shown: Frame | null = null;
  private plotted = 0;

  constructor(private readonly app: App) {
    this.panel = new LivePanel(app.layout.time, app.layout.left, app.model.parameters ?? [], (command) => this.send(command),
      { look: (time) => this.look(time, true), step: (places) => this.step(places), present: () => this.present() });
  }

  get running(): boolean {
    return this.status ? !this.status.paused : false;
  }

  connect(address: string): void {
    const { notices } = this.app;
    this.socket = new LiveSocket(address, {
      frame: (frame) => {
        this.newest = frame;
        this.window.add(frame);
        if (this.past && this.past.time > frame.time) this.past = null;  // the run was reset
        this.history.addFrame(frame);
      },
      status: (status) => {
        this.status = status;
        if (status.paused || performance.now() - this.stopAsked > STOPS_WITHIN) this.stopAsked = 0;
        if (!status.paused && !this.stopAsked) this.past = null;  // it goes on from the present
        this.history.addStatus(status);
        this.panel.update(status);
        notices.set('failed', status.failed ? `The run has stopped: ${status.failed}` : '', 'error');
        notices.set('warnings', (status.warnings ?? []).join('; '), 'error');
      },
      grew() {},
      parameters: (list) => this.panel.setParameters(list),
      error: (words) => notices.set('server', words, 'error'),
      connected: (yes) => {
        notices.set('reach', yes ? '' : 'The connection to the run is lost. Trying again …', 'error');
        this.app.layout.root.classList.toggle('lost', !yes);
      },
    });
  }

  send(command: Command): void {
    if ('command' in command && command.command !== 'drag') this.app.notices.set('server', '');
    if (!this.socket?.send(command)) this.app.notices.set('reach', 'The connection to the run is lost. Trying again …', 'error');
  }

  /// The frame that is looked back at; null: the present is shown.
  get lookedAt(): Frame | null {
    return this.past;
  }
  /// The kept frame nearest to this time; `stop`: a run that goes on is stopped for it.
  look(time: number, stop: boolean): void {
    if (this.running && !this.stopAsked) {
      if (!stop) return;
      this.stopAsked = performance.now();
      this.send({ command: 'pause' });
    }
    this.lookAt(this.window.nearest(time));
  }
  /// So many kept frames on or back; on from the present is a step of the run.
  step(places: number): void {
    if (places > 0 && !this.past) return this.panel.compute();
    if (this.running && !this.stopAsked) this.look(Infinity, true);
    const from = this.past ?? this.window.newest;
    if (from) this.lookAt(this.window.beside(from, places));
  }
  present(): void {
    this.lookAt(null);
  }
  private lookAt(frame: Frame | null): void {
    this.past = frame === this.window.newest ? null : frame;
    this.shown = null;
  }

  tick(show: (frame: Frame) => void): void {
    const frame = this.past ?? this.newest ?? (this.shown ? null : this.window.newest);
    if (this.past === null) this.newest = null;
    if (frame && frame !== this.shown) {
      this.shown = frame;
      if (this.first) {
        this.first = false;
        this.app.picture.colours.setStart(frame);
        showCover(this.app.layout.cover, 'none');
      }
      show(frame);
    }
    this.panel.showWindow(this.window.oldest?.time ?? 0, this.window.newest?.time ?? 0, this.past?.time ?? null);
    if (performance.now() - this.plotted > PLOTS_EVERY && this.running) {
      this.plotted = performance.now();
      void this.app.plots.reload();
    }
  }
}
