import type { SettingForm } from '../../api/services.ts'
import { LEARNING_WAYS } from '../../refresh/learning/plan.ts'
import type { SettingName } from '../settings/config.ts'

const form = (group: SettingForm['group'], title: string, kind: SettingForm['kind'], unit?: string): SettingForm => ({
  group,
  title,
  kind,
  unit: unit ?? null,
  choices: null,
})

const choice = (group: SettingForm['group'], title: string, choices: readonly string[]): SettingForm => ({
  ...form(group, title, 'choice'),
  choices: [...choices],
})

/** How each setting is shown and edited, in the order of its group; what it means is in setting-words.ts. */
export const SETTING_FORMS: Readonly<Record<SettingName, SettingForm>> = {
  quality: form('budget', 'You set', 'quality'),
  budget: form('budget', 'Requests to spend', 'budget'),
  strategy: form('budget', 'Where to spend them', 'strategy'),
  minInterval: form('budget', 'Never more often than every', 'duration'),
  maxInterval: form('budget', 'At least once every', 'duration'),
  exploreShare: form('budget', 'For new feeds', 'share'),
  estimator: form('budget', 'Publication model', 'estimator'),
  burst: form('budget', 'Saved-up requests at once', 'text'),
  costs: choice('budget', 'What a request costs', ['requests', 'bytes', 'time']),
  pageShare: form('budget', 'For pages of items', 'share'),
  iconShare: form('budget', 'For icons', 'share'),
  archiveShare: form('budget', 'For feeds nobody reads', 'share'),
  readerWeight: choice('budget', 'Many readers count', ['logarithm', 'linear']),
  believeSubscribers: form('budget', 'Subscribers believed', 'number', 'readers'),

  hostSpacing: form('checking', 'Between two requests to a host', 'duration'),
  hostConcurrency: form('checking', 'At one host at once', 'number', 'requests'),
  concurrency: form('checking', 'At all hosts at once', 'number', 'requests'),
  timeout: form('checking', 'Longest request', 'duration'),
  maxBody: form('checking', 'Largest document', 'bytes'),
  contact: form('checking', 'Whom sites can write to', 'text'),
  userAgent: form('checking', 'Our name to sites', 'text'),
  push: form('checking', 'Let hubs tell of news', 'boolean'),
  bundles: form('checking', 'Several feeds in one request', 'boolean'),
  bundleFamilies: form('checking', 'Sites asked for several feeds', 'words'),
  pageFolders: form('checking', 'Folders whose pages are fetched', 'words'),
  repairPages: form('checking', 'Older pages read after a loss', 'number', 'pages'),
  afterLoss: choice('checking', 'After a loss look sooner', ['sooner', 'strategy']),
  allowRange: form('checking', 'Private addresses allowed', 'words'),
  threshold: choice('checking', 'When it decides', ['price', 'thesis']),
  cycle: form('checking', 'Length of a cycle', 'duration'),
  learning: choice('checking', 'What teaches the models', LEARNING_WAYS),
  learningShare: form('checking', 'For learning requests', 'share'),
  learnFor: form('checking', 'A period of learning takes', 'duration'),
  learnEvery: form('checking', 'It begins every', 'duration'),

  publicUrl: form('publishing', 'Address of this node', 'text'),
  feedItems: form('publishing', 'Items in a feed', 'number', 'items'),
  imageProxy: form('publishing', 'Pictures come from here', 'boolean'),
  hub: form('publishing', 'Tell subscribers at once', 'boolean'),
  network: form('publishing', 'Say at /.well-known/headwater what is published', 'boolean'),
  webhookTimeout: form('publishing', 'Longest message to a webhook', 'duration'),
  outputDir: form('publishing', 'Folder for files', 'text'),

  keepFor: form('storage', 'Keep items for', 'duration'),
  keepItems: form('storage', 'Keep of each feed', 'number', 'items'),
  maxData: form('storage', 'Largest data folder', 'bytes'),
  keepObservationsFor: form('storage', 'Keep the history of checks for', 'duration'),
  checkEvery: form('storage', 'Look through the database every', 'duration'),
  checkpoint: form('storage', 'Write what was learnt every', 'duration'),
  bufferCapacity: form('storage', 'Items that may wait', 'number', 'items'),
  keyFile: form('storage', 'File with the key', 'text'),

  memberSources: form('people', 'Feeds that a member may add', 'number', 'feeds'),
  memberQueries: form('people', 'Query feeds of a member', 'number', 'feeds'),
  memberSubscriptions: form('people', 'Deliveries of a member', 'number', 'deliveries'),
  memberTokens: form('people', 'Tokens of a member', 'number', 'tokens'),

  smtpUrl: form('mail', 'Mail server', 'text'),
  mailFrom: form('mail', 'Sender of mail', 'text'),
  alertMail: form('mail', 'Alerts go to the mail address', 'text'),
  alertWebhook: form('mail', 'Alerts go to the webhook', 'text'),
  alertSecret: form('mail', 'Its messages are signed with', 'text'),
  smtpIn: form('mail', 'Take letters at', 'text'),
  mailDomain: form('mail', 'Domain of their addresses', 'text'),
  maxLetter: form('mail', 'Largest letter', 'bytes'),
  smtpInCert: form('mail', 'Certificate for TLS', 'text'),
  smtpInKey: form('mail', 'Key for TLS', 'text'),

  host: form('node', 'Serve on the address', 'text'),
  port: form('node', 'Serve on the port', 'number'),
  logLevel: choice('node', 'What is logged', ['debug', 'info', 'warn', 'error', 'silent']),
  maxConnections: form('node', 'Connections at once', 'number', 'connections'),
  maxConnectionsPerAddress: form('node', 'Of one address', 'number', 'connections'),
  trustProxy: form('node', 'Proxies that are believed', 'words'),
  lease: form('node', 'Take over a silent crawler after', 'duration'),
  traceUrl: form('node', 'Traces of refreshes go to', 'text'),
}
