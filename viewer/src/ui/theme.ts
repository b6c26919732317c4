// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, or as chosen (remembered in this browser).

const KEY = 'cairn-theme';

export function applyTheme(choice: 'auto' | 'light' | 'dark'): void {
  const kept = choice === 'auto' ? read() : choice;
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
  else delete document.documentElement.dataset.theme;
}

export function isDark(): boolean {
  const set = document.documentElement.dataset.theme;
  return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function toggleTheme(): void {
  const next = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
