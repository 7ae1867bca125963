import type { ReactNode } from 'react'
import { count, form, plural } from '../amounts.ts'

export const enOverview = {
  whatNow: {
    saturated: 'It publishes faster than the budget lets us look.',
    flooding: 'More than a usual day is shown at once; the rest waits for you.',
    retired: 'We hardly look any more. Is it elsewhere now?',
    failing: 'We go on trying, less and less often.',
  },
  periods: {
    hour: 'Hour',
    day: 'Day',
    week: 'Week',
  },
  lastPeriods: {
    hour: 'The last hour',
    day: 'The last day',
    week: 'The last week',
  },
  inPeriods: {
    hour: 'in the last hour',
    day: 'today',
    week: 'this week',
  },
  likeness: {
    readers: 'the same people get both',
    queries: 'the same queries keep both',
    categories: 'same folder',
  },
  alerts: 'Alerts',
  feed: 'feed',
  toldOnce: (p: { readonly feed: ReactNode }) => <>Each trouble is told once, also as a {p.feed}.</>,
  howLateThen: 'How late items came',
  itemsLost: 'Items lost',
  besidePolling: 'Beside polling at fixed intervals',
  besideLead: (p: { readonly requests: string; readonly span: string; readonly every: string }) =>
    `The same ${p.requests} requests over ${p.span} on the same publications, beside polling each feed every ${p.every} (simulated).`,
  thisNode: 'This node',
  polling: 'Polling',
  noneLost: 'none lost',
  biggerBudget: 'What a bigger budget would buy',
  doubling: (p: { readonly saves: string; readonly costs: string }) =>
    `Doubling it would save about ${p.saves}; halving it costs ${p.costs}. Estimated from the delay measured.`,
  delayAgainst: (p: {
    readonly own: string
    readonly requests: string
    readonly every: string
    readonly polling: string
  }) => `Delay against requests a day: ${p.own} at ${p.requests}; polling every ${p.every} would be ${p.polling} late`,
  requestsADay: 'requests a day',
  estimatedDelay: 'Estimated delay',
  youAreHere: 'You are here',
  pollingEvery: (p: { readonly every: string }) => `Polling every ${p.every}`,
  notKnown: 'not known',
  forExperts: 'For experts',
  mechanics: (p: { readonly price: string; readonly strategy: string; readonly checks: string }) =>
    `price of a request (τ) ${p.price} · strategy ${p.strategy} · ${p.checks} remembered`,
  priceTau: 'Price τ: what a check must be worth',
  itemsAnHour: 'Items an hour',
  fullWindows: 'Windows found full of news',
  itemsArchived: 'Items archived',
  queryFeeds: 'Query feeds',
  waitingForQueries: 'Waiting for queries',
  needYou: 'Need you',
  pause: 'Pause',
  allOfThem: 'All of them',
  isPaused: (p: { readonly name: string }) => `${p.name} is paused`,
  lastLooked: (p: { readonly when: ReactNode }) => <>Last looked at {p.when}.</>,
  over: 'Over',
  theOverview: 'the overview',
  nothingToRead: 'Nothing to read yet',
  noSources: 'This node follows no sources yet',
  noSourcesHint: 'Add some, and after the first refreshes this page shows how complete, fresh and expensive they are.',
  begin: 'Begin',
  curvesSoon: 'Curves are drawn as soon as the node has been at work for half a minute.',
  howLate: 'How late news arrives',
  howLateLead: 'Line: average. Band: from the median to 95 % of items. Nothing is drawn where nothing is known.',
  howLateSummary: 'Mean delay between publication and archive, with median and 95th percentile',
  onAverage: 'on average',
  forMost: 'for most',
  againstBudget: 'Requests against the budget',
  againstBudgetLead: (p: { readonly budget: string }) =>
    `An hour. Saved in quiet hours, spent when news comes; the line is the budget, ${p.budget} an hour.`,
  againstBudgetSummary: (p: { readonly budget: string }) => `Requests an hour against a budget of ${p.budget}`,
  requestsAnHour: 'requests an hour',
  budget: 'budget',
  completeAndFresh: 'Complete and fresh',
  completeLead: 'Complete: items that were not lost. Fresh: of what feeds show, what is here.',
  completeSummary: (p: { readonly since: string }) => `Completeness and freshness since ${p.since}`,
  complete: 'Complete',
  fresh: 'Fresh',
  whereRequests: 'Where the requests went',
  whereLead: 'Share of the requests of all folders, and how many found something new.',
  shareNew: (p: { readonly share: string; readonly new: string }) => (
    <>
      <strong>{p.share}</strong> {p.new} new
    </>
  ),
  qualityOverTime: 'Quality over time',
  from: 'From',
  completeness: 'Completeness',
  freshness: 'Freshness',
  meanDelay: 'Mean delay',
  requests: 'Requests',
  items: 'Items',
  lostItems: 'Lost',
  mostWanted: 'Most wanted',
  mostWantedLead: 'What query feeds and readers count on. A feed that counts twice as much is looked at more often.',
  countsAs: (p: { readonly weight: string }) => `counts as ${p.weight}`,
  countOnIt: (p: { readonly n: number }) => plural(p.n, 'reader counts on it', 'readers count on it'),
  youMayLike: 'You may like',
  youMayLikeLead: 'Feeds of this node like those you read.',
  like: (p: { readonly names: string; readonly why: string }) => `Like ${p.names}: ${p.why}`,
  foundNew: (p: { readonly share: string }) => `; ${p.share} found something new`,
  kept: (p: { readonly items: string; readonly lost: string; readonly estimated: string }) =>
    `${p.items} items kept, ${p.lost}${p.estimated}`,
  isHere: (p: { readonly estimated: string }) => `of what feeds show now is here${p.estimated}`,
  late: 'Late',
  within: (p: { readonly median: string; readonly most: string }) => `half within ${p.median}, 95 % within ${p.most}`,
  measuredSoon: 'measured with the first item that appears while the node runs; what was there before is not counted',
  spent: 'Spent',
  ofBudget: (p: { readonly budget: string }) => `of ${p.budget}`,
  between: (p: { readonly low: string; readonly high: string }) => ` (${p.low} to ${p.high})`,
  lostBetween: (p: { readonly items: string; readonly range: string }) => `${p.items} lost${p.range}`,
  estimated: ', estimated',
  bought: (p: {
    readonly requests: string
    readonly delay: string
    readonly every: string
    readonly later: string
  }) => (
    <>
      {p.requests} requests a day bring you news <strong>{p.delay}</strong> after it appears. Spent on polling every
      feed each {p.every}, the same requests would {p.later}.
    </>
  ),
  tooEarly: (p: { readonly items: string; readonly feeds: string }) =>
    `${p.items} of ${p.feeds} are archived. How late news arrives is known after about half an hour at work.`,
  nothingLost: 'nothing was lost',
  aboutLost: (p: { readonly items: string }) => `about ${p.items} lost`,
  allWell: 'All well.',
  notAllCaught: 'Works, but not everything was caught.',
  notAllWell: 'Not all is well.',
  muchNeeds: 'Much needs a look.',
  need: (p: { readonly troubled: number; readonly feeds: string }) =>
    `${count(p.troubled)} of ${p.feeds} ${form(p.troubled, 'needs', 'need')} you.`,
  overBudget: 'Over budget',
  onBudget: 'On budget',
  beLater: 'be later',
  beAsLate: 'be about as late',
  beTimesLater: (p: { readonly times: string }) => `be ${p.times} times later`,
  rest: (p: { readonly budget: string; readonly lost: string; readonly period: string }) =>
    `${p.budget}; ${p.lost} ${p.period}.`,
}
