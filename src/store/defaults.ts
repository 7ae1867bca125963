import { DAY_MS, type SourceState } from '../model/index.ts'

export const NEW_SOURCE_STATE: SourceState = {
  status: 'new',
  format: null,
  title: null,
  siteUrl: null,
  feedCategories: [],
  etag: null,
  lastModified: null,
  bodyHash: null,
  window: [],
  lastCheckAt: null,
  lastSuccessAt: null,
  lastNewItemAt: null,
  nextCheckAt: null,
  nextCheckReason: null,
  failureCount: 0,
  lastError: null,
  movingTo: null,
  datesCredible: true,
  hints: null,
  notBefore: null,
  saturation: null,
  openGap: null,
  guidChanges: 0,
  refusal: null,
}

/** Another URL is another document: what the old one was known by says nothing about it. */
export function stateAtNewUrl(state: SourceState): SourceState {
  return { ...state, etag: null, lastModified: null, bodyHash: null, movingTo: null }
}

/** How long the key of a removed item is remembered, so that a feed that shows it again does not make news of it. */
export const REMEMBER_REMOVED_MS = 365 * DAY_MS

/** Removals that a running scheduler has long seen need not be listed again. */
export const REMEMBER_REMOVED_SOURCE_MS = 30 * DAY_MS

/** Hours of single sources serve the last week; the node's own are few. */
export const KEEP_SOURCE_QUALITY_MS = 8 * DAY_MS
export const KEEP_NODE_QUALITY_MS = 400 * DAY_MS

export const DEFAULT_BUFFER_CAPACITY = 20_000

/** Items in the window of a query feed without LIMIT, where nobody says otherwise. */
export const DEFAULT_FEED_WINDOW = 100
