import { deRead } from './read.tsx'
import { deSource } from './source.tsx'
import { deSources } from './sources.tsx'
import { deWelcome } from './welcome.tsx'

/** What the other pages need. */
export const dePages = {
  sources: deSources,
  welcome: deWelcome,
  read: deRead,
  source: deSource,
}
