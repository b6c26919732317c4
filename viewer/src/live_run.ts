// SPDX-License-Identifier: Apache-2.0
// A run that is computed now: takes the newest frame and status from the connection, sends commands.
import type { App } from './app';
import { LiveHistory } from './plots/source';
import type { Frame } from './protocol/frame';
import type { LiveStatus } from './protocol/model';
import { LiveSocket, type Command } from './protocol/socket';
import { showCover } from './ui/layout';
import { LivePanel } from './ui/live';

const PLOTS_EVERY = 400;  // milliseconds

export class LiveRun {
  readonly history = new LiveHistory();
  readonly panel: LivePanel;
  private socket: LiveSocket | null = null;
  private newest: Frame | null = null;
  private status: LiveStatus | null = null;
  private first = true;
  private plotted = 0;

  constructor(private readonly app: App) {
    this.panel = new LivePanel(app.layout.time, app.layout.left, app.model.parameters ?? [], (command) => this.send(command));
  }

  get running(): boolean {
    return this.status ? !this.status.paused : false;
  }

  connect(address: string): void {
    const { notices } = this.app;
    this.socket = new LiveSocket(address, {
      frame: (frame) => {
        this.newest = frame;
        this.history.addFrame(frame);
      },
      status: (status) => {
        this.status = status;
        this.history.addStatus(status);
        this.panel.update(status);
        notices.set('failed', status.failed ? `The run has stopped: ${status.failed}` : '', 'error');
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

  tick(show: (frame: Frame) => void): void {
    const frame = this.newest;
    if (frame) {
      this.newest = null;
      if (this.first) {
        this.first = false;
        this.app.picture.colours.setStart(frame);
        showCover(this.app.layout.cover, 'none');
      }
      show(frame);
    }
    if (performance.now() - this.plotted > PLOTS_EVERY && this.running) {
      this.plotted = performance.now();
      void this.app.plots.reload();
    }
  }
}
