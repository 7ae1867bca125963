export { commonFeedPaths } from './common-paths.ts'
export { discoverFeeds } from './page-links.ts'
export { hasScheme, normalizeSourceUrl } from './source-url.ts'
