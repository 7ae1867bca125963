import type { SourceSettings } from '../../model/index.ts'

type Listed = Pick<SourceSettings, 'listing'>

/** The page is read by other selectors from now on: neither its last document nor its window say anything of the next. */
export function isReadOtherwise(before: Listed, after: Listed): boolean {
  return JSON.stringify(before.listing ?? null) !== JSON.stringify(after.listing ?? null)
}

/** Absent where there is none. */
export function withOwnListing<Settings extends Listed>(settings: Settings): Settings {
  if (settings.listing !== null && settings.listing !== undefined) return settings
  const { listing: _, ...rest } = settings
  return rest as Settings
}
