// SPDX-License-Identifier: Apache-2.0
// The live connection: frames and status in, commands out; acknowledges what was taken, comes back by itself when it broke.
import { decodeFrames, type Frame } from './frame';
import type { LiveStatus, Parameter, Vec3 } from './model';

export type Command =
  | { command: 'play' | 'pause' | 'step' | 'reset' | 'release' }
  | { command: 'speed'; factor: number }
  | { command: 'drag'; body: number; point: Vec3; target: Vec3 }
  | { command: 'set'; name: string; value: number }
  | { ack: number };

export interface SocketEvents {
  frame(frame: Frame): void;
  status(status: LiveStatus): void;
  grew(frames: number, complete: boolean): void;
  parameters(parameters: Parameter[]): void;
  error(words: string): void;
  connected(yes: boolean): void;
}

export class LiveSocket {
  private socket: WebSocket | null = null;
  private closed = false;
  private wait = 500;

  constructor(private readonly address: string, private readonly events: SocketEvents) {
    this.open();
  }

  send(command: Command): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private open(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = 500;
      this.events.connected(true);
    };
    socket.onmessage = (message) => this.take(message.data);
    socket.onclose = () => {
      if (this.closed) return;
      this.events.connected(false);
      setTimeout(() => !this.closed && this.open(), this.wait);
      this.wait = Math.min(8000, 2 * this.wait);
    };
  }

  private take(data: ArrayBuffer | string): void {
    try {
      if (typeof data === 'string') this.takeText(JSON.parse(data));
      else {
        const frame = decodeFrames(data)[0];
        this.events.frame(frame);
        this.send({ ack: frame.index });
      }
    } catch (problem) {
      this.events.error(`a message of the server cannot be read: ${(problem as Error).message}`);
    }
  }

  private takeText(message: Record<string, unknown>): void {
    if (message.status) this.events.status(message.status as LiveStatus);
    if (message.times) {
      const times = message.times as { frames: number; complete: boolean };
      this.events.grew(times.frames, times.complete);
    }
    if (message.parameters) this.events.parameters(message.parameters as Parameter[]);
    if (message.error) this.events.error(String(message.error));
  }
}

export function socketAddress(page: Location): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/ws`;
}
