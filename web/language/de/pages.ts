import { deSources } from './sources.tsx'
import { deWelcome } from './welcome.tsx'

/** What the other pages need. */
export const dePages = {
  sources: deSources,
  welcome: deWelcome,
}
