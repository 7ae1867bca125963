import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { OPERATIONS } from '../src/api/operations/index.ts'

const ROUTES = 'virtual:routes'

/** Method and path of each operation, from the table itself; the schemas and zod stay out of the browser. */
function operationRoutes(): Plugin {
  const routes = Object.fromEntries(Object.entries(OPERATIONS).map(([id, { method, path }]) => [id, [method, path]]))
  return {
    name: 'operation-routes',
    resolveId: (id) => (id === ROUTES ? `\0${ROUTES}` : null),
    load: (id) => (id === `\0${ROUTES}` ? `export default ${JSON.stringify(routes)}` : null),
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The node writes below which path of its host it is (src/api/dashboard.ts).
  base: './',
  plugins: [operationRoutes()],
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The content policy forbids inline scripts and data: in scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/feeds': 'http://127.0.0.1:8080' } },
})
