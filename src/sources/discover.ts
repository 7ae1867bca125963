export { commonFeedPaths } from './common-paths.ts'
export { type DiscoveredFeed, readPageLinks } from './page-links.ts'
export { normalizeSourceUrl } from './source-url.ts'
