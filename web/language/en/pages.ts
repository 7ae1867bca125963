import { enSources } from './sources.tsx'
import { enWelcome } from './welcome.tsx'

/** What the other pages need. */
export const enPages = {
  sources: enSources,
  welcome: enWelcome,
}
