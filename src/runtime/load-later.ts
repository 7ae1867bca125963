import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that a start has no use for is read when somebody first needs it. And what is required is not looked through for
 * the names that it exports, as Node does with CommonJS that is imported: for the 0.9 MB of the stemmers that was a tenth of a start.
 */
export function loadLater<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= require(name) as Package
    return loaded
  }
}
