import type { RoleName } from '../../src/app/data/role-names.ts'
import { startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'

/** One role of a node in this process, until it is stopped: `role.child.ts FOLDER ROLE PASSWORD`. */
const [folder = '', role = '', ownerPassword] = process.argv.slice(2)
const config = loadConfig(folder, { port: 0, allowRange: 'loopback', hostSpacing: 0, checkpoint: 200 }, {})
const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }

try {
  const node = await startNode(config, environment, { roles: [role as RoleName], ownerPassword })
  process.on('message', () => {
    void node.stop().then(() => process.disconnect())
  })
  process.send?.({ url: node.url })
} catch (error) {
  process.send?.({ failed: (error as { code?: string }).code ?? String(error) })
  process.disconnect()
}
