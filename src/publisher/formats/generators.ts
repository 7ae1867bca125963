import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** What writes the head of a feed, loaded with the first one: a node that crawls or a command writes none. */
export function feedGenerators(): Pick<
  typeof import('feedsmith'),
  'generateAtomFeed' | 'generateRssFeed' | 'generateJsonFeed'
> {
  return require('feedsmith')
}
