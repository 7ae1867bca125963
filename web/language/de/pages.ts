import { deAudit } from './audit.ts'
import { deCluster } from './cluster.tsx'
import { deDeliveries } from './deliveries.tsx'
import { deLab } from './lab.ts'
import { deNetwork } from './network.tsx'
import { dePhrases } from './phrases.ts'
import { deQueries } from './queries.tsx'
import { deRead } from './read.tsx'
import { deSettings } from './settings.tsx'
import { deSource } from './source.tsx'
import { deSources } from './sources.tsx'
import { deWelcome } from './welcome.tsx'

/** What the other pages need. */
export const dePages = {
  sources: deSources,
  welcome: deWelcome,
  read: deRead,
  source: deSource,
  deliveries: deDeliveries,
  cluster: deCluster,
  audit: deAudit,
  settings: deSettings,
  lab: deLab,
  queries: deQueries,
  network: deNetwork,
  phrases: dePhrases,
}
