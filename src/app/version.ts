import { existsSync, readFileSync } from 'node:fs'

/** From package.json, which stands two folders up from the source and three from dist/. */
export const VERSION: string = (() => {
  for (const path of ['../../package.json', '../../../package.json']) {
    const url = new URL(path, import.meta.url)
    if (existsSync(url)) return JSON.parse(readFileSync(url, 'utf8')).version
  }
  return 'unknown'
})()
