import type { PhraseTable } from '../node-words.ts'
import { enAudit } from './audit.ts'
import { enCluster } from './cluster.tsx'
import { enDeliveries } from './deliveries.tsx'
import { enLab } from './lab.ts'
import { enNetwork } from './network.tsx'
import { enQueries } from './queries.tsx'
import { enRead } from './read.tsx'
import { enSettings } from './settings.tsx'
import { enSource } from './source.tsx'
import { enSources } from './sources.tsx'
import { enWelcome } from './welcome.tsx'

/** What the other pages need. */
export const enPages = {
  sources: enSources,
  welcome: enWelcome,
  read: enRead,
  source: enSource,
  deliveries: enDeliveries,
  cluster: enCluster,
  audit: enAudit,
  settings: enSettings,
  lab: enLab,
  queries: enQueries,
  network: enNetwork,
  phrases: {} as PhraseTable,
}
