import type { ItemSeq } from '../../model/index.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'

/** Looks at many items part by part: others get their turn between two. */
export async function inParts<T>(
  seqs: readonly ItemSeq[],
  atATime: number,
  look: (part: readonly ItemSeq[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let at = 0; at < seqs.length; at += atATime) {
    for (const one of await look(seqs.slice(at, at + atATime))) found.push(one)
    const later = giveWay()
    if (later !== undefined) await later
  }
  return found
}
