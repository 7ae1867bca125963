/** Whether what would be fetched could be kept. */
export interface Room {
  /** False: nothing is to be fetched now. */
  hasRoom(): boolean
  /** A write failed: it may be that there is no room. */
  doubt(error: unknown): void
}

/** For who has no disk to watch. */
export const ENDLESS_ROOM: Room = { hasRoom: () => true, doubt: () => {} }
