import type { SourceState } from '../../model/index.ts'

/**
 * One wrong 301 is common: a captive portal, a hoster's parking page, a slip during maintenance. The redirect is
 * followed anyway, so that waiting costs one request per refresh; three good answers in a row from the same new address
 * are hardly an accident.
 */
const CONFIRMATIONS_TO_MOVE = 3

export interface Move {
  /** The source's new address, once it is certain. */
  readonly movedTo: string | null
  readonly movingTo: SourceState['movingTo']
}

/**
 * Called after each good answer (a feed, or not modified) with the permanent address it came from, null if none. A
 * failure in between says nothing and is not counted.
 */
export function confirmMove(
  movingTo: SourceState['movingTo'],
  permanentUrl: string | null,
  currentUrl: string,
  confirmationsToMove = CONFIRMATIONS_TO_MOVE,
): Move {
  if (permanentUrl === null || permanentUrl === currentUrl || isDowngrade(currentUrl, permanentUrl)) {
    return { movedTo: null, movingTo: null }
  }
  const confirmations = movingTo?.url === permanentUrl ? movingTo.confirmations + 1 : 1
  if (confirmations >= confirmationsToMove) return { movedTo: permanentUrl, movingTo: null }
  return { movedTo: null, movingTo: { url: permanentUrl, confirmations } }
}

/** Followed while it lasts, but never made the source's own address: a proxy in between could ask for it. */
function isDowngrade(from: string, to: string): boolean {
  return from.toLowerCase().startsWith('https:') && to.toLowerCase().startsWith('http:')
}
