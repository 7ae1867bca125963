import { count, pluralRounded } from '../amounts.ts'

export const enLab = {
  tooLittle: 'Too little was published in this time to tell the strategies apart.',
  atBudget: (p: { readonly requests: number }) => `At ${pluralRounded(p.requests, 'request', 'requests')} a day`,
  wouldBe: (p: { readonly at: string; readonly strategy: string; readonly delay: string }) =>
    `${p.at}, ${p.strategy} would be ${p.delay} late on average.`,
  isBest: (p: {
    readonly at: string
    readonly best: string
    readonly delay: string
    readonly last: string
    readonly times: string
    readonly complete: string
  }) => `${p.at}, ${p.best} is best: ${p.delay} late on average, ${p.last} ${p.times}.${p.complete}`,
  timesAsMuch: (p: { readonly late: string; readonly times: string }) => `${p.late}, ${p.times} times as much`,
  hardlyMore: (p: { readonly late: string }) => `${p.late}, hardly more`,
  ofAllItems: (p: { readonly best: string; readonly last: string }) =>
    ` Of all items they would have got ${p.best} and ${p.last}.`,
  delay: 'Delay',
  completeness: 'Completeness',
  meanDelay: 'Mean delay',
  againstBudget: (p: { readonly measure: string }) => `${p.measure} against the budget`,
  measure: 'Measure',
  span: (p: { readonly feeds: string; readonly from: string; readonly to: string }) =>
    `${p.feeds}, ${p.from} to ${p.to}; delay is the mean over all items.`,
  summary: (p: { readonly measure: string; readonly strategies: string; readonly budgets: string }) =>
    `${p.measure} of ${p.strategies} for ${p.budgets}; the table below has the figures`,
  requestsADay: 'Requests a day',
  figures: 'Figures',
  strategy: 'Strategy',
  requests: 'Requests',
  thisNode: 'this node',
  month: 'Month',
  budgetsHelp: 'Up to eight budgets, separated by commas.',
  budgetsWrong: 'Write one to eight numbers above 0, separated by commas: 50, 500, 5000.',
  theStrategies: 'the strategies',
  replay: 'Replay',
  nothingCompared: 'Nothing compared yet',
  nothingHint:
    'What would have happened with other strategies and budgets? Choose some and press Compare: they are replayed on what this node itself has seen.',
  tooEarly:
    'Which strategy would bring your news soonest? That can be told when the node has been at work for half an hour.',
  thisWeek: (p: {
    readonly strategy: string
    readonly delay: string
    readonly every: string
    readonly later: string
  }) =>
    `This week this node (strategy ${p.strategy}) brought news ${p.delay} after it appeared; polling every feed each ${p.every} with the same requests would ${p.later}.`,
  upTo: (p: { readonly n: number; readonly current: string }) =>
    `Up to ${count(p.n)} strategies; this node uses ${p.current}.`,
  history: 'History',
  running: 'Running …',
  compare: 'Compare',
  ofChosen: (p: { readonly ticked: number; readonly all: number }) => `${count(p.ticked)} of ${count(p.all)} chosen`,
  ours: 'Ours',
  foresight: 'weighs lateness and loss of every feed at one price, and looks ahead',
  published: 'Published',
  twoSteps: 'feeds that are about to lose items first, then the most useful',
  onlyTau: 'the most useful feeds, above one threshold',
  onlySat: 'only feeds that are about to lose items',
  scc07Allocation: 'more requests for feeds that publish more, by the square root',
  scc07Scheduling: 'the best moments of the day for each feed',
  scc07Combined: 'both: how many requests, and at which moments',
  cgm03Age: 'the least age of what is stored, on average',
  cgm03Freshness: 'as many feeds up to date as possible at any moment',
  lambdacrawl: 'a crawler of pages that punishes long staleness',
  azar: 'a crawler of pages that follows one index',
  advarss: 'counts the runs between two changes of a feed, and waits as many',
  adaptiveTtl: 'a tenth of the age of the newest item, as web caches do',
  topK: 'in cycles: as many of the most useful as the budget has',
  reference: 'everything in every cycle, whatever it costs',
  readersPeopleUse: 'Readers and crawlers people use',
  uniform: 'every feed equally often: polling at a fixed interval',
  uniformRandom: 'the same with irregular intervals',
  miniflux: 'Miniflux by how often a feed publishes',
  minifluxRoundRobin: 'Miniflux as it comes: in turn',
  freshrss: 'FreshRSS as it comes',
  commafeed: 'CommaFeed: by the age of the newest item',
  newsblur: 'NewsBlur: by items a day and readers',
  ttrss: 'Tiny Tiny RSS as it comes',
  mediacloud: 'Media Cloud: by how much of the feed was known already',
  feedIo: 'feed-io: by the gaps between the items of a feed',
  nutch: 'Apache Nutch: shorter after a change, longer without',
  stormcrawler: 'StormCrawler: likewise, with other steps',
  others: 'Others',
}
