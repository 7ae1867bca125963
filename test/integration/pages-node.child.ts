import { startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { plainExtractor } from '../support/plain-extractor.ts'

// A node over a data folder, until it is killed: node pages-node.child.ts <folder> <budget>.
const [, , folder = '', budget = ''] = process.argv
const flags = { port: 0, allowRange: 'loopback', hostSpacing: '1ms', minInterval: '200ms', budget, pageShare: 1 }
const environment = { clock: systemClock, random: seededRandom(process.pid), logger: silentLogger }
await startNode(loadConfig(folder, flags, {}), environment, { openExtractor: async () => plainExtractor() })
