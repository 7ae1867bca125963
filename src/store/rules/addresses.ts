import type { Source, SourceId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { withoutLogIn } from '../address-log-in.ts'

/** The source that has an address now; undefined: none. */
type OwnerOf = (url: string) => SourceId | undefined

/** Where a source goes after a confirmed redirect; null: it stays, because it is there or another source is. */
export function addressToMoveTo({ url }: Pick<Source, 'url'>, movedTo: string | null, ownerOf: OwnerOf): string | null {
  if (movedTo === null) return null
  const to = withoutLogIn(movedTo)
  return to === url || ownerOf(to) !== undefined ? null : to
}

/** A user may give a source any address that no other has now; who had it before does not matter. */
export function refuseTaken(id: SourceId, url: string, ownerOf: OwnerOf): void {
  const owner = ownerOf(url)
  if (owner !== undefined && owner !== id) throw new HeadwaterError('SOURCE_EXISTS', url)
}

/** A source is still found by the addresses that it moved away from, each once, in order. */
export function formerAfterMove(formerUrls: readonly string[], from: string, to: string): string[] {
  return [...new Set([...formerWithout(formerUrls, to), from])].sort()
}

/** An address means the source that has it now, not one that had it before. */
export function formerWithout(formerUrls: readonly string[], taken: string): string[] {
  return formerUrls.filter((url) => url !== taken)
}
