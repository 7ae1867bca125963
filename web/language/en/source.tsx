import type { ReactNode } from 'react'
import { count, pluralRounded } from '../amounts.ts'

export const enSource = {
  causes: {
    new: 'new source',
    asked: 'asked for',
    full: 'window nearly full',
    worth: 'worth its price',
    time: 'longest interval over',
    signal: 'others like it have news',
    learning: 'to learn its rate',
    push: 'its hub told of news',
    spare: 'budget to spare',
  },
  counts: {
    M: 'Runs between two checks',
    T: 'Runs without news, at least',
    ToE: 'Runs until the next check',
  },
  expected: (p: { readonly expected: string; readonly items: string }) =>
    `Its feed shows the last ${p.items}; ${p.expected} new are expected since our last look.`,
  pagesOfItems: 'Pages of its items',
  pagesStored: (p: {
    readonly pages: string
    readonly size: string
    readonly waiting: string
    readonly failed: string
    readonly keeping: string
  }) => `${p.pages} stored, ${p.size} in all; ${p.waiting} waiting, ${p.failed} without an article. ${p.keeping}`,
  keptFor: (p: { readonly time: string }) => `for ${p.time}`,
  keptForLast: (p: { readonly items: string }) => `for the last ${p.items}`,
  keptAsItems: 'They are kept as long as their items.',
  and: ' and ',
  areKept: (p: { readonly limits: string }) => `They are kept ${p.limits}.`,
  editSource: 'Edit the source',
  nameHelp: 'Empty: the title that the feed gives itself.',
  address: 'Address',
  categories: 'Folders',
  categoriesHelp: 'Separated by commas; a folder in a folder as News/World.',
  weight: 'Weight',
  weightHelp: '1 is usual; 2 counts twice.',
  fixedInterval: 'Fixed interval in minutes',
  fixedHelp: 'Empty: the strategy decides.',
  mostADay: 'New items a day at most',
  mostHelp: 'Empty: learnt from its past. off: all that it shows.',
  newPages: 'Pages of its new items',
  newPagesHelp: 'Fetched, they give whole articles to searches, queries and FULLTEXT feeds.',
  leftAlone: 'left alone',
  fetchedOnce: 'fetched once',
  fetchedAgain: 'fetched, and looked at again for changes',
  userAgent: 'User agent',
  asAll: 'Empty: as all others.',
  proxy: 'Proxy',
  authUser: 'User, if the feed wants a password',
  authPassword: 'Password of that user',
  asItWas: 'Empty: as it was.',
  save: 'Save',
  floodingRefused: (p: { readonly items: string }) => `Flooding: ${p.items} refused`,
  floodingWhy: (p: { readonly when: ReactNode; readonly allowance: string; readonly taken: string }) => (
    <>
      {p.when} it showed more new items than the {p.allowance} a day that are stored of it. The newest were taken (
      {p.taken} today); the rest comes in when there is room again, if it is still shown then.
    </>
  ),
  untilThen: ' Until then it is not refreshed.',
  liftAllowance: 'Lift the allowance',
  learnt: 'Learnt',
  seen: 'Seen',
  whenItPublishes: 'When it publishes',
  show: 'Show',
  nothingLearnt: 'Nothing was learnt yet; it takes some refreshes.',
  learntRate: 'Learnt rate by hour of the week',
  itemsSeen: 'Items seen by hour of the week',
  itemsAnHour: 'items an hour',
  itemsUnit: 'items',
  noModel: 'No model',
  modelName: 'How its times are learnt',
  modelWords: (p: { readonly rate: string; readonly when: ReactNode }) => (
    <>
      Items on average: {p.rate}; learnt {p.when}. Hours are those of your clock.
    </>
  ),
  nextCheck: 'Next check',
  brings: (p: { readonly perDay: number; readonly busiest: string }) =>
    `It brings about ${pluralRounded(p.perDay, 'item', 'items')} a day${p.busiest}.`,
  mostlyBetween: (p: { readonly from: string; readonly to: string }) => `, most of them between ${p.from} and ${p.to}`,
  waitsAndIsWorth: (p: { readonly items: string; readonly by: string }) =>
    `By ${p.by} about ${p.items} should be waiting, and no other feed needs the request more.`,
  waitsAndMayBeLost: (p: { readonly items: string; readonly by: string }) =>
    `By ${p.by} about ${p.items} should be waiting; looking later, some could be lost.`,
  asScheduled: 'As the scheduler puts it',
  everyOne: 'Every one of them',
  howFetched: 'How it is fetched',
  noFormat: 'not read yet',
  fetchedWords: (p: { readonly format: string; readonly interval: string; readonly weight: string }) =>
    `${p.format} · interval ${p.interval} · weight ${p.weight}`,
  notPlanned: 'Not planned',
  dueNow: 'Due now',
  noReason: 'The scheduler has given no reason yet.',
  lastTimes: (p: { readonly checked: ReactNode; readonly answered: ReactNode; readonly new: ReactNode }) => (
    <>
      Last checked {p.checked}, last answered {p.answered}, last found something new {p.new}.
    </>
  ),
  newestItem: (p: { readonly when: ReactNode }) => <>Newest item: {p.when}.</>,
  whoReads: 'Who reads it',
  countsFor: (p: { readonly weight: string; readonly readers: string }) =>
    `It counts as ${p.weight} when requests are shared out; ${p.readers}.`,
  noQueryReads: 'No query feed reads it.',
  keeps: (p: { readonly share: string }) => `keeps ${p.share}`,
  yourTrust: (p: { readonly share: string }) => `Your trust in it: ${p.share}`,
  refreshes: 'Checks',
  noneYet: 'None yet.',
  broughtNew: (p: { readonly useful: string; readonly all: string }) =>
    `${p.useful} of the last ${p.all} brought something new; red ones found nothing they knew, so items were lost between.`,
  newAt: (p: { readonly time: string; readonly n: number }) => `${p.time}: ${count(p.n)} new`,
  refreshesNewest: 'Checks, newest first',
  when: 'When',
  why: 'Why',
  new: 'New',
  result: 'Result',
  lost: 'Lost',
  size: 'Size',
  took: 'Took',
  saturated: 'saturated',
  repaired: 'repaired from older pages',
  useful: 'useful',
  notModified: 'not modified',
  nothingNew: 'nothing new',
  rules: 'Rules for reading pages',
  rulesLead: 'Where too little or too much of a page is taken for its article. They hold for all sources of a site.',
  change: 'Change',
  remove: 'Remove',
  makeRule: 'Make a rule for this site',
  aRule: 'A rule',
  tryOn: 'Stored page to try it on',
  itemNumber: (p: { readonly seq: number }) => `item ${count(p.seq)}`,
  tryIt: 'Try it',
  saveRule: 'Save the rule',
  cancel: 'Cancel',
  article: 'Article',
  articleHelp:
    'CSS selectors, or XPath that begins with a slash; one to a line, the first that finds something counts.',
  goesBefore: 'What goes before',
  goesHelp: 'Selectors of what is never part of it.',
  title: 'Title',
  titleHelp: 'Empty: as usual, as are the two below.',
  author: 'Author',
  date: 'Date',
  ruleName: 'Name of the rule',
  hosts: 'Hosts',
  hostsHelp: 'And all below them, with commas between.',
  preview: 'Preview',
  charactersFound: (p: { readonly characters: string; readonly found: string }) =>
    `${p.characters} in all. Elements found: ${p.found}`,
  asked: 'Asked …',
  refreshNow: 'Check now',
  removeThis: 'Remove this source?',
  removeWords: (p: { readonly name: string; readonly items: string }) =>
    `${p.name} is no longer followed, and its ${p.items} leave the archive and all query feeds.`,
  removeIt: 'Remove it',
  keepIt: 'Keep it',
  resume: 'Resume',
  pause: 'Pause',
  edit: 'Edit',
  items: 'Items',
  readThem: (p: { readonly items: string }) => `${p.items}, read them`,
  site: 'Site',
  format: 'Format',
  saysAbout: 'Says it is about',
  followedSince: 'Followed since',
  rate: 'Rate',
  rateWords: (p: { readonly rate: number }) => `${pluralRounded(p.rate, 'item', 'items')} an hour`,
  interval: 'Interval',
  newADay: 'New items a day',
  dates: 'Dates',
  credible: 'credible',
  notCredible: 'not credible, so arrival counts',
  fixed: (p: { readonly time: string }) => `fixed, ${p.time}`,
  atLeast: (p: { readonly time: string }) => `at least ${p.time}`,
  atMost: (p: { readonly time: string }) => `at most ${p.time}`,
  asStrategy: 'as the strategy decides',
  refused: (p: { readonly n: string }) => `, ${p.n} refused`,
  today: (p: { readonly taken: string; readonly refused: string }) => `${p.taken} today${p.refused}`,
  allStored: (p: { readonly today: string }) => `all are stored; ${p.today}`,
  learntMost: ', learnt',
  atMostStored: (p: { readonly most: string; readonly learnt: string; readonly today: string }) =>
    `at most ${p.most}${p.learnt}; ${p.today}`,
  deltas: 'Deltas',
  spared: (p: { readonly n: string; readonly size: string }) => `${p.n}, which spared ${p.size}`,
  tellsNews: 'tells of news',
  wasAsked: 'was asked to tell of news',
  hub: 'Hub',
  hubWords: (p: { readonly hub: string; readonly state: string; readonly pushes: string; readonly refused: string }) =>
    `${p.hub} ${p.state}; ${p.pushes} pushes${p.refused}`,
  hints: 'Hints',
  noHints: 'none given by the publisher',
  asksFor: 'Asks for (ttl)',
  noMoreOften: (p: { readonly time: string }) => `no more often than ${p.time}`,
  saysUpdates: 'Says it updates',
  every: (p: { readonly time: string }) => `every ${p.time}`,
  skipHours: 'Skip hours',
  skipDays: 'Skip days',
  hubs: 'Hubs',
  notBefore: 'Not before',
  source: 'Source',
  theSource: 'the source',
  readElsewhere: 'Read it elsewhere',
  lostAndRecovered: (p: { readonly when: ReactNode }) => <>It lost items {p.when}, and has recovered since.</>,
  losesOften: (p: { readonly when: ReactNode }) => (
    <>It lost items {p.when}, and not for the first time in a day: it publishes faster than it is looked at.</>
  ),
  movedTo: (p: { readonly url: string; readonly times: string }) => (
    <>
      It says that it moved to <code>{p.url}</code>; confirmed {p.times} so far.
    </>
  ),
  pausedWords: 'Paused: nothing is fetched until you resume it.',
  saturatedLost: 'Saturated: items were lost',
  theirDates: 'their dates',
  rateLearnt: 'the rate learnt',
  missing: (p: { readonly items: number; readonly low: string; readonly high: string; readonly basis: string }) =>
    `Missing: about ${pluralRounded(p.items, 'item', 'items')} (${p.low} to ${p.high}, by ${p.basis}). `,
  nothingKnown: (p: { readonly when: ReactNode; readonly missing: ReactNode }) => (
    <>
      {p.when} nothing in the feed was known any more. {p.missing}
    </>
  ),
  cameBack: (p: { readonly items: string }) => `${p.items} came back from older pages of the feed.`,
  failedTimes: (p: { readonly hint: string; readonly times: string; readonly when: ReactNode }) => (
    <>
      {p.hint} Failed {p.times} in a row, last {p.when}.
    </>
  ),
  slowHost: (p: { readonly time: string }) =>
    `Its host is slow: answers take ${p.time}. Slow hosts share a quarter of the places for requests, so it may be refreshed later than planned.`,
  windowFilling: 'Room until something is lost',
  notSoon: 'At this rate it does not fill up soon.',
  fullAt: (p: { readonly time: string }) =>
    `Without a look it would be full ${p.time}; what comes after that pushes unseen items out.`,
  fullSince: (p: { readonly time: string }) => `Full since ${p.time}: unseen items may be falling out.`,
  window: 'Room until something is lost',
  windowUnknown: 'How many items the feed shows at once is known after the first refreshes.',
  windowFilled: 'Window filled with items not yet seen',
  latestItems: 'Latest items',
  allItems: (p: { readonly n: string }) => `All ${p.n}`,
  noItemsYet: 'None yet; they come with the first check.',
  withinAMinute: ', here within a minute',
  hereLater: (p: { readonly time: string }) => `, here ${p.time} later`,
}
