import { entryAt } from '../../src/model/entry-at.ts'
/** How sources were requested over a time. */
export interface ScheduleFigures {
  /** Requests of all of them in a minute. */
  readonly perMinute: number
  /** Between two requests of one source: the median, the one in twenty that is longer, the longest. */
  readonly medianGapMs: number
  readonly longGapMs: number
  readonly longestGapMs: number
}

/** Gaps that end or would end within the time; one that is still open counts as long as it is. */
export function scheduleBetween(
  arrivalsMs: readonly (readonly number[])[],
  fromMs: number,
  toMs: number,
): ScheduleFigures {
  const within = arrivalsMs.map((moments) => moments.filter((ms) => ms >= fromMs && ms < toMs))
  const gaps = within
    .flatMap((moments) => [fromMs, ...moments, toMs].slice(1).map((ms, i) => ms - entryAt([fromMs, ...moments], i)))
    .sort((a, b) => a - b)
  const at = (share: number) => Math.round(gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? 0)
  const count = within.reduce((sum, moments) => sum + moments.length, 0)
  const perMinute = Math.round((count * 60_000) / (toMs - fromMs))
  return { perMinute, medianGapMs: at(0.5), longGapMs: at(0.95), longestGapMs: at(1) }
}

/** Both, as figures of a class: what was usual, and what was beside the attack. */
export function compareSchedules(usual: ScheduleFigures, beside: ScheduleFigures): Record<string, number> {
  const named = (prefix: string, figures: ScheduleFigures) =>
    Object.entries(figures).map(([name, value]) => [
      `${prefix}${entryAt(name, 0).toUpperCase()}${name.slice(1)}`,
      value,
    ])
  return Object.fromEntries([...named('usual', usual), ...named('beside', beside)])
}
