import { enRead } from './read.tsx'
import { enSource } from './source.tsx'
import { enSources } from './sources.tsx'
import { enWelcome } from './welcome.tsx'

/** What the other pages need. */
export const enPages = {
  sources: enSources,
  welcome: enWelcome,
  read: enRead,
  source: enSource,
}
