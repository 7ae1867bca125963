import { type Phrase, phrase } from '../../runtime/phrase.ts'

/** The candidate that differs least from what was written, if it differs little; for "did you mean". */
function nearest(written: string, candidates: Iterable<string>): string | null {
  const lower = written.toLowerCase()
  const most = lower.length <= 3 ? 1 : lower.length <= 6 ? 2 : 3
  let best: string | null = null
  let least = most + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - lower.length) >= least) continue
    const distance = editDistance(lower, candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

export function didYouMean(written: string, candidates: Iterable<string>): Phrase | undefined {
  const best = nearest(written, candidates)
  return best === null ? undefined : phrase`Did you mean ${best}?`
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
