import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Compiled, a module is JavaScript. From the sources its thread has to register a loader itself before it can read TypeScript:
 * `--import tsx` does so in the main thread only.
 */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (!module.href.endsWith('.ts')) return new Worker(module, options)
  // The ES module of it: its CommonJS twin looks for its hooks in the wrong folder (tsx 4.23).
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/cjs$/, 'mjs'),
  ).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(module.href)})))`
  return new Worker(code, { ...options, eval: true })
}
