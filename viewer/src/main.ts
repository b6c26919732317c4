// SPDX-License-Identifier: Apache-2.0
// Start of the page: builds its rooms, asks for the model, hands over to the app; says so when it cannot.
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import { App } from './app';
import { Client } from './protocol/client';
import { parseState } from './state';
import { makeLayout, showCover } from './ui/layout';
import { applyTheme } from './ui/theme';

declare global {
  interface Window {
    /// Resolves when the picture that the address asks for is on the canvas; rejects in words.
    cairnReady: Promise<void>;
    cairn?: App;
  }
}

const { state, problems } = parseState(location.search);
applyTheme(state.theme);
const layout = makeLayout(document.getElementById('app')!);
layout.root.classList.toggle('no-ui', !state.ui);
layout.root.classList.toggle('no-legend', !state.legend);

async function start(): Promise<void> {
  showCover(layout.cover, 'loading', 'Opening', 'Asking Cairn for the model');
  const client = new Client();
  try {
    const model = await client.model();
    document.title = `${model.title || model.file} – Cairn`;
    const app = new App(layout, client, model, state);
    window.cairn = app;
    await app.start();
    if (problems.length) app.notices.set('address', problems.join('; '), 'warning');
    await app.drawn();
  } catch (problem) {
    const words = (problem as Error).message;
    showCover(layout.cover, 'error', 'This cannot be shown', words, () => location.reload());
    throw problem;
  }
}

window.cairnReady = start();
window.cairnReady.catch((problem) => console.error(problem));
