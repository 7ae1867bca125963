import { allowanceOf } from '../../crawler/intake/allowance.ts'
import {
  dayOf,
  type InstantMs,
  isForLetters,
  type Source,
  type SourceId,
  type SourceSettings,
  type UserId,
} from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { REMEMBER_DAYS } from '../../store/intake.ts'
import type { Store } from '../../store/store.ts'

/** What was done today with the new items of a source. */
export interface IntakeToday {
  /** Stored at most, of those that its window shows; null: all of them. */
  readonly allowance: number | null
  readonly taken: number
  readonly repaired: number
  readonly refused: number
}

export async function intakeToday(
  source: Pick<Source, 'id' | 'dailyAllowance'>,
  store: Pick<Store, 'intake'>,
  now: InstantMs,
): Promise<IntakeToday> {
  const today = dayOf(now)
  const days = await store.intake(source.id, { from: today - REMEMBER_DAYS, to: today })
  const past = days.filter(({ day }) => day < today)
  const allowance = allowanceOf(source, past)
  const { taken = 0, repaired = 0, refused = 0 } = days.find(({ day }) => day === today) ?? {}
  return { allowance: Number.isFinite(allowance) ? allowance : null, taken, repaired, refused }
}

/** Settings of requests; those of a source for letters hold its address, and another URL would have them sent there. */
const OF_REQUESTS = ['url', 'headers', 'basicAuth', 'userAgent', 'proxyUrl', 'intervalMs'] as const

function refuseRequests(source: Source, patch: Partial<SourceSettings>): void {
  const name = OF_REQUESTS.find((one) => patch[one] !== undefined)
  if (isForLetters(source) && name !== undefined) throw new HeadwaterError('SOURCE_NOT_FETCHED', `${name} stays`)
}

/** A source of which more may be stored than before is refreshed soon: what it was refused may go before the day turns. */
export async function changeSourceAndRefresh(
  id: SourceId,
  patch: Partial<SourceSettings>,
  store: Pick<Store, 'source' | 'updateSource' | 'requestRefresh'>,
  now: InstantMs,
  by?: UserId,
): Promise<Source | null> {
  const before = await store.source(id)
  if (before === null) return null
  refuseRequests(before, patch)
  const source = await store.updateSource(id, patch)
  const isRefused = source !== null && source.state.refusal !== null
  if (isRefused && patch.dailyAllowance !== undefined) await store.requestRefresh([id], now, by)
  return source
}
