import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** From package.json, which is two folders up from the source and three from dist/. */
export const VERSION: string = (() => {
  for (const path of ['../../package.json', '../../../package.json']) {
    const url = new URL(path, import.meta.url)
    if (existsSync(url)) return JSON.parse(readFileSync(url, 'utf8')).version
  }
  return 'unknown'
})()

/** Where the dashboard is built to: `dist/web`, seen from the compiled file or from the source. */
export const WEB_ROOT = fileURLToPath(
  new URL(import.meta.url.endsWith('.js') ? '../../web' : '../../dist/web', import.meta.url),
)
