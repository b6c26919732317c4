// SPDX-License-Identifier: Apache-2.0
// Requests to the server, with its errors in its own words and a lost connection told apart from a refusal.
import { decodeFrames, type Frame } from './frame';
import { decodeMesh, decodeSeries, decodeTimes, type Series, type ShapeMesh, type Times } from './mesh';
import { checkModel, type Model, type RunEvent } from './model';

/// The server answered, and the answer is no.
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/// Nobody answered.
export class Unreachable extends Error {
  constructor() {
    super('Cairn does not answer. Is `cairn view` still running?');
  }
}

export class Client {
  /// Called when a request finds the server gone (false) or back (true).
  onReach: (reached: boolean) => void = () => {};

  constructor(readonly base: string = '') {}

  async model(): Promise<Model> {
    return checkModel(await this.json('api/model'));
  }
  async shape(index: number): Promise<ShapeMesh> {
    return decodeMesh(await this.bytes(`api/shape?index=${index}`));
  }
  async times(): Promise<Times> {
    return decodeTimes(await this.bytes('api/times'));
  }
  async frames(from: number, count: number, contacts: boolean): Promise<Frame[]> {
    return decodeFrames(await this.bytes(`api/frames?from=${from}&count=${count}&contacts=${contacts ? 1 : 0}`));
  }
  async series(name: string, range?: [number, number], points = 2000): Promise<Series> {
    const limits = range ? `&from=${range[0]}&to=${range[1]}` : '';
    return decodeSeries(await this.bytes(`api/series?name=${encodeURIComponent(name)}${limits}&points=${points}`));
  }
  /// What is found within so many seconds; asked again, it goes on from there.
  async events(within: number): Promise<{ events: RunEvent[]; until: number; complete: boolean }> {
    const found = (await this.json(`api/events?within=${within}`)) as { events: RunEvent[]; until: number; complete: boolean };
    if (!Array.isArray(found?.events)) throw new Error('the server sent no list of events');
    return found;
  }
  detail(kind: 'body' | 'joint' | 'contact', frame: number, index: number): Promise<Record<string, unknown>> {
    return this.json(`api/${kind}?frame=${frame}&index=${index}`) as Promise<Record<string, unknown>>;
  }

  private async json(path: string): Promise<unknown> {
    const response = await this.request(path);
    try {
      return await response.json();
    } catch {
      throw new Error(`the answer to ${path} is not JSON`);
    }
  }

  private async bytes(path: string): Promise<ArrayBuffer> {
    const response = await this.request(path);
    try {
      return await response.arrayBuffer();
    } catch {
      this.onReach(false);  // the connection broke within the answer
      throw new Unreachable();
    }
  }

  private async request(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + path, { cache: 'no-store' });
    } catch {
      this.onReach(false);
      throw new Unreachable();
    }
    this.onReach(true);
    if (response.ok) return response;
    throw new Refused(response.status, await wordsOf(response));
  }
}

async function wordsOf(response: Response): Promise<string> {
  try {
    const answer = (await response.json()) as { error?: string };
    if (answer.error) return answer.error;
  } catch {
    // not JSON: the status has to do
  }
  return `the server answered ${response.status} ${response.statusText}`.trim();
}
