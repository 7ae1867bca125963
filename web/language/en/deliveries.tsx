import type { ReactNode } from 'react'
import { plural } from '../amounts.ts'

export const enDeliveries = {
  givenUp: (p: { readonly n: number }) => `${plural(p.n, 'given-up item', 'given-up items')}`,
  webhook: 'Webhook',
  webhookField: 'Address that is called',
  mail: 'Mail',
  mailField: 'Mail address',
  file: 'File',
  fileField: 'Path below the folder of files',
  atOnce: 'each item at once',
  every15: 'every 15 minutes',
  everyHour: 'every hour',
  every6: 'every 6 hours',
  onceADay: 'once a day',
  onceAWeek: 'once a week',
  sendFeed: 'Send a query feed',
  queryFeed: 'Query feed',
  choose: 'Choose …',
  to: 'To',
  when: 'When',
  sendIt: 'Send it',
  signed: 'Its messages are signed with this, shown once',
  makeOne: 'Make one',
  onlyOwn: (p: { readonly link: ReactNode }) => <>Only query feeds of your own can be sent. {p.link} first.</>,
  lead: 'Where items go besides Read: each new item of a query feed to a webhook, by mail or into a file.',
  sentElsewhere: 'What is sent elsewhere',
  nothingSent: 'Nothing is sent',
  chooseBelow: 'Choose a query feed below.',
  nothingHint: (p: { readonly choose: string }) =>
    `Each new item of a query feed can go to a webhook, into a file or by mail, at once or in batches. The page of a query feed has a button for notifications in this browser. ${p.choose}`,
  goesTo: 'Goes to',
  state: 'State',
  every: (p: { readonly time: string }) => `every ${p.time}`,
  tryAgain: (p: { readonly items: string }) => `Try ${p.items} again`,
  sendNoMoreTo: (p: { readonly feed: string; readonly target: string }) => `Send ${p.feed} no more to ${p.target}`,
  sendNoMore: 'Send no more',
  nothingSentYet: 'nothing sent yet',
  failed: (p: { readonly times: string }) => `failed ${p.times}`,
  nextTry: (p: { readonly error: string; readonly next: ReactNode; readonly last: ReactNode }) => (
    <>
      {p.error}. Next try {p.next}; last sent {p.last}.
    </>
  ),
  sent: (p: { readonly when: ReactNode }) => <>sent {p.when}</>,
  hubFeeds: 'Subscribed to at the hub',
  hubFeed: 'Feed',
  hubSubscribers: 'Subscribers',
  hubFailing: 'Failing',
  hubLastSent: 'Last sent',
  hubLeaseEnds: 'Ends',
  hubRefused: 'Refused since the start',
  hubReason: 'Reason',
  hubTimes: 'Times',
  kindFeed: 'query feed',
  kindCategory: 'folder',
  kindSource: 'source',
  whatYouFollow: 'What you follow',
  followLead:
    'Query feeds, folders and feeds that count as read by you: what more people follow is checked more often.',
  yourFollows: 'what you follow',
  nothingYet: 'Nothing yet',
  followHint: 'Choose a query feed or folder here, or press Follow on the page of a source.',
  followersSince: (p: { readonly followers: string; readonly since: ReactNode }) => (
    <>
      {p.followers}; you began {p.since}
    </>
  ),
  readTitle: (p: { readonly title: string }) => `Read ${p.title}`,
  unfollowTitle: (p: { readonly title: string }) => `Unfollow ${p.title}`,
  unfollow: 'Unfollow',
  queryFeeds: 'Query feeds',
  categories: 'Folders',
  followSome: 'Follow a query feed or folder',
}
