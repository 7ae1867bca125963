import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that a start has no use for is read when somebody first needs it: four of them were nearly a fifth of the files that `serve`
 * opened before it answered.
 */
export function loadLater<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= require(name) as Package
    return loaded
  }
}
