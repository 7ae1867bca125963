import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HeadwaterError } from '../../src/runtime/errors.ts'

/** Tests run the sources; processes run what is built. */
const isSource = import.meta.url.endsWith('.ts')
const built = (path: string) => fileURLToPath(new URL(`${isSource ? '../../dist' : '../..'}/${path}`, import.meta.url))

export const HEADWATER = built('bin/headwater.js')
/** The same program with one protection less. */
export const UNWATCHED = built('bench/cluster/unwatched.child.js')

/** It is not part of the package. */
export function serverScript(): string {
  const path = fileURLToPath(new URL(`${isSource ? '../..' : '../../..'}/scripts/postgres-server.mjs`, import.meta.url))
  if (!existsSync(path)) throw new HeadwaterError('USAGE', 'bench cluster runs in a checkout of the sources only')
  return path
}
