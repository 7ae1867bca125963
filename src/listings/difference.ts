/** One line of a comparison: as it was and is, gone, or new. */
export interface ChangedLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Pairs of lines that are compared at most; beyond, the middle counts as replaced. */
const MOST_PAIRS = 1_000_000

/** What became of lines, with the fewest removed and added ones. */
export function compareLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  return [
    ...lines('same', after.slice(0, start)),
    ...compareMiddle(removed, added),
    ...lines('same', after.slice(after.length - end)),
  ]
}

function lines(kind: ChangedLine['kind'], texts: readonly string[]): ChangedLine[] {
  return texts.map((text) => ({ kind, text }))
}

function compareMiddle(before: readonly string[], after: readonly string[]): ChangedLine[] {
  if (before.length * after.length > MOST_PAIRS) return [...lines('removed', before), ...lines('added', after)]
  const longest = commonLengths(before, after)
  const width = after.length + 1
  const found: ChangedLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const fresh = after[j]
    if (old !== undefined && old === fresh) {
      found.push({ kind: 'same', text: old })
      i++
      j++
    } else if (
      old !== undefined &&
      (fresh === undefined || at(longest, (i + 1) * width + j) >= at(longest, i * width + j + 1))
    ) {
      found.push({ kind: 'removed', text: old })
      i++
    } else if (fresh !== undefined) {
      found.push({ kind: 'added', text: fresh })
      j++
    }
  }
  return found
}

/** Lengths of the longest common subsequences of what is left after each pair of places. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1))
    }
  }
  return lengths
}

function at(lengths: Uint32Array, index: number): number {
  return lengths[index] ?? 0
}
