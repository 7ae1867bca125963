export { commonFeedPaths } from './common-paths.ts'
export { type DiscoveredFeed, discoverFeeds } from './page-links.ts'
export { normalizeSourceUrl } from './source-url.ts'
