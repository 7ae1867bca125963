import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { outputPathKey } from '../../access/index.ts'
import type { OutputService } from '../../api/services.ts'
import { createAddressGuard } from '../../http/address-guard.ts'
import { FetchFailure } from '../../http/failure.ts'
import { readTarget } from '../../http/target.ts'
import type { SubscriptionOutput, UserId } from '../../model/index.ts'
import { checkOutputPath, whereItLeads } from '../../publisher/channels/output-path.ts'
import type { QueryStatement } from '../../query/language/ast.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { isLoopbackHost } from '../settings/base-url.ts'
import { type Config, outputDirOf } from '../settings/config.ts'

export interface OutputCheck extends OutputService {
  /** Those of SUBSCRIBE; feeds that are not there yet will be this user's. */
  checkStatements(statements: readonly QueryStatement[], userId: UserId | null): Promise<void>
}

type OutputStore = Pick<Store, 'subscriptions' | 'queryFeeds' | 'queryFeedOwners' | 'users'>
type OutputConfig = Pick<Config, 'allowRange' | 'smtpUrl' | 'outputDir' | 'dataDir'>

/** Whose files they are: what nobody owns is the node owner's. */
type Taker = UserId | 'node owner'

/** The addresses of a host; throws if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** What would be refused at every delivery is refused when it is made, by whichever door. */
export function createOutputCheck(
  store: OutputStore,
  config: () => OutputConfig,
  resolveHost: ResolveHost = addressesOf,
): OutputCheck {
  return { check, checkStatements }

  async function check(output: SubscriptionOutput, ownerId: UserId | null): Promise<void> {
    if (output.kind === 'webhook') await checkAddress(output.url)
    if (output.kind === 'webpush') await checkPushService(output.endpoint)
    if (output.kind === 'mail' && !config().smtpUrl) throw new HeadwaterError('MAIL_NOT_SET_UP')
    if (output.kind === 'file') await checkFile(output.path, await takerOf(ownerId), await filesByTaker())
  }

  async function checkStatements(statements: readonly QueryStatement[], userId: UserId | null): Promise<void> {
    const owners = await ownersByName()
    const takerByPath = new Map<string, Taker>()
    for (const statement of statements) {
      if (statement.kind !== 'subscribe') continue
      const { output, feed } = statement
      const owner = owners.get(feed.name)
      const ownerId = owner === undefined ? userId : owner
      await check(output, ownerId)
      if (output.kind === 'file') await checkFile(output.path, await takerOf(ownerId), takerByPath, true)
    }
  }

  /** RFC 8030 §8: over TLS, but for one on this machine that the node may reach. */
  async function checkPushService(endpoint: string): Promise<void> {
    const { protocol, hostname } = new URL(endpoint)
    if (protocol !== 'https:' && !isLoopbackHost(hostname))
      throw new HeadwaterError('FETCH_BAD_URL', 'a push service has an address that begins with https')
    await checkAddress(endpoint)
  }

  async function checkAddress(url: string): Promise<void> {
    const guard = createAddressGuard(config().allowRange)
    try {
      const { hostname } = readTarget(url, guard).url
      if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return
      // A name that cannot be resolved now may be later: that is for delivery to see.
      const addresses = await resolveHost(hostname).catch(() => [])
      if (addresses.length > 0 && !addresses.some((address) => guard.allows(address)))
        throw new FetchFailure('FETCH_ADDRESS_REFUSED', hostname)
    } catch (error) {
      if (error instanceof FetchFailure) throw new HeadwaterError(error.failure, error.message, { cause: error })
      throw error
    }
  }

  /** `taken`: whose files are written already. */
  async function checkFile(
    path: string,
    taker: Taker,
    takerByPath: Map<string, Taker>,
    isTaking = false,
  ): Promise<void> {
    const folder = outputDirOf(config())
    checkOutputPath(path, folder)
    const key = outputPathKey(await whereItLeads(path, folder))
    const isFree = !takerByPath.has(key) || takerByPath.get(key) === taker
    if (!isFree) throw new HeadwaterError('FILE_TAKEN', path)
    if (isTaking) takerByPath.set(key, taker)
  }

  async function takerOf(ownerId: UserId | null): Promise<Taker> {
    const nodeOwner = (await store.users()).find(({ role }) => role === 'owner')
    return ownerId === null || ownerId === nodeOwner?.id ? 'node owner' : ownerId
  }

  async function filesByTaker(): Promise<Map<string, Taker>> {
    const folder = outputDirOf(config())
    const owners = await store.queryFeedOwners()
    const files = new Map<string, Taker>()
    for (const { output, feedId } of await store.subscriptions()) {
      if (output.kind !== 'file') continue
      const target = await whereItLeads(output.path, folder).catch(() => null)
      const key = target === null ? null : outputPathKey(target)
      if (key !== null && !files.has(key)) files.set(key, await takerOf(owners.get(feedId) ?? null))
    }
    return files
  }

  async function ownersByName(): Promise<ReadonlyMap<string, UserId | null>> {
    const owners = await store.queryFeedOwners()
    return new Map((await store.queryFeeds()).map(({ id, name }) => [name, owners.get(id) ?? null]))
  }
}

async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
