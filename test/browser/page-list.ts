/** Every page, and what it shows once it is loaded; for tests and for scripts/screenshots.mjs. */
export const PAGES = [
  { name: 'overview', path: '/', ready: 'For experts' },
  { name: 'sources', path: '/sources', ready: / sources$/ },
  { name: 'source', path: '/sources/1', ready: 'When it publishes' },
  { name: 'queries', path: '/queries', ready: 'What is built on what' },
  { name: 'query', path: '/new-query', ready: 'What it finds' },
  { name: 'read', path: '/read', ready: 'Mark all read' },
  { name: 'deliveries', path: '/deliveries', ready: 'What is sent elsewhere' },
  { name: 'lab', path: '/lab', ready: 'Compare' },
  { name: 'settings', path: '/settings', ready: 'Never more often than every' },
  { name: 'audit', path: '/audit', ready: 'log-in' },
  { name: 'cluster', path: '/cluster', ready: 'One node alone' },
  { name: 'network', path: '/network', ready: 'No other node yet' },
  { name: 'welcome', path: '/welcome', ready: 'Follow a site' },
] as const
