import type { Clock } from '../../runtime/clock.ts'
import { openData, placeOf } from '../data/data.ts'
import type { Config } from '../settings/config.ts'
import { type CheckResult, failed, fine, wrong } from './check-result.ts'
import { checkDisk, checkOutputFolder, checkRights, latestMoment } from './data-checks.ts'
import { checkClock, checkNodeVersion, checkOpenFiles } from './machine.ts'
import { checkAddress, checkDns, checkMailServer, checkPort } from './network-checks.ts'

export interface DoctorDeps {
  /** Throws what is wrong with the settings. */
  readonly readConfig: () => Promise<Config>
  readonly clock: Clock
  readonly nodeVersion: string
}

/** Looks at all that a node needs, and says of each what is wrong and what to do. Changes nothing. */
export async function examine({ readConfig, clock, nodeVersion }: DoctorDeps): Promise<readonly CheckResult[]> {
  const machine = [checkNodeVersion(nodeVersion), ...(await checkOpenFiles())]
  const config = await readConfig().catch((error: unknown) => error)
  if (!isConfig(config)) return [...machine, failed('settings', config), checkClock(clock.now(), null)]
  const around = [
    fine('settings', 'can be read'),
    await checkPort(config),
    ...checkAddress(config),
    ...(await checkMailServer(config)),
    ...(await checkOutputFolder(config)),
  ]
  return [...machine, ...around, ...(await examineData(config, clock))]
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && 'dataDir' in value
}

async function examineData(config: Config, clock: Clock): Promise<readonly CheckResult[]> {
  const place = placeOf(config)
  const exists = await place.exists().catch((error: unknown) => failed('data', error))
  if (typeof exists !== 'boolean') return [exists, checkClock(clock.now(), null)]
  if (!exists) {
    const hint = 'Start it: headwater serve. If there should be one, give its place with --data or --store.'
    const none = wrong('data', 'warning', 'DATA_NOT_FOUND', `no node has its data in ${place.name}`, hint)
    return [none, checkClock(clock.now(), null)]
  }
  // Before it is opened, which closes the database to others.
  const rights = config.store === undefined ? await checkRights(config) : []
  const data = await openData(config, clock).catch((error: unknown) => failed('data', error))
  if (!('store' in data)) return [data, checkClock(clock.now(), null)]
  try {
    const { sources, items } = await data.store.counts()
    return [
      fine('data', `${place.name}: ${sources} sources, ${items} items`),
      ...rights,
      ...(await checkDisk(data, config)),
      ...(await checkDns(data.store)),
      checkClock(clock.now(), await latestMoment(data.store)),
    ]
  } catch (error) {
    return [failed('data', error)]
  } finally {
    await data.store.close()
  }
}
