export { commonFeedPaths } from './common-paths.ts'
export { discoverFeeds } from './page-links.ts'
export { hasHttpScheme, normalizeSourceUrl } from './source-url.ts'
