// SPDX-License-Identifier: Apache-2.0
// The page is built into dist/: one HTML file and its assets, all addresses relative, nothing fetched from elsewhere.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  server: { proxy: { '/api': 'http://127.0.0.1:8765', '/ws': { target: 'ws://127.0.0.1:8765', ws: true } } },
  test: { include: ['test/**/*.test.ts'] },
});
