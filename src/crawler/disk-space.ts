/** Whether what would be fetched could be stored. */
export interface DiskSpace {
  /** False: nothing is to be fetched now. */
  hasSpace(): boolean
  /** A write failed: it may be that there is no disk space. */
  doubt(error: unknown): void
}

/** For who has no disk to watch. */
export const ENDLESS_DISK: DiskSpace = { hasSpace: () => true, doubt: () => {} }
