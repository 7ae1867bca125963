export { commonFeedPaths } from './common-paths.ts'
export { type DiscoveredFeed, discoverFeeds } from './page-links.ts'
export { hasScheme, normalizeSourceUrl } from './source-url.ts'
