import type { ReactNode } from 'react'
import { count, form, plural } from '../amounts.ts'

export const enCluster = {
  handOvers: (p: { readonly n: number }) => `${plural(p.n, 'hand-over', 'hand-overs')}`,
  title: 'Cluster',
  forOwner: 'For the owner of the node',
  namesMachines: 'It names machines, and what each of them does.',
  theCluster: 'the cluster',
  database: 'Database',
  oneNode: 'One node alone',
  oneNodeWords: (p: { readonly folder: ReactNode }) => (
    <>
      Its data is in {p.folder}, and one process does all the work. That is enough for most: a cluster is for who
      follows more feeds than one machine can, or must not stop when a machine does.
    </>
  ),
  toBecome: 'To become a cluster',
  makeDatabase: 'Make a database on a PostgreSQL server, stop this node, and move its data there:',
  thenStart: 'Then start any number of processes on it, on any machines; --role says what each of them does:',
  wholeWay: 'docs/cluster.md has the whole way, from a laptop to several machines.',
  members: 'Members',
  member: 'Member',
  roles: 'Roles',
  version: 'Version',
  since: 'Since',
  heartbeat: 'Last heartbeat',
  shardsHead: 'Shards',
  granted: 'Granted',
  silent: 'silent',
  shardsAndLeases: 'Shards and leases',
  role: 'Role',
  withOwner: 'With an owner',
  without: 'Without',
  handOversHead: 'Hand-overs',
  readersOfItems: 'Readers of new items',
  reader: 'Reader',
  whose: 'Whose',
  itemsBehind: 'Items behind',
  notWaitedFor: 'not waited for any more',
  noneYet: 'None yet.',
  now: 'The cluster now',
  notHeardOf: (p: { readonly n: string }) => `${p.n} more not heard of`,
  processesThere: 'processes that say they are there',
  shardsWithout: 'Shards without owner',
  sinceMade: (p: { readonly handOvers: string }) => `${p.handOvers} since the cluster was made`,
  price: 'Price τ',
  nobodySet: 'nobody has set one yet',
  mustBeWorth: (p: { readonly strategy: string; readonly time: string }) =>
    `what a refresh must be worth (${p.strategy}), set ${p.time} ago`,
  farthest: 'Farthest behind',
  slowestReader: 'items that the slowest reader has not read yet',
  noCrawlerYet: 'no crawler has said yet what may be spent',
  spentIn: (p: { readonly spent: string; readonly amount: string; readonly time: string }) =>
    `; ${p.spent} of ${p.amount} spent in ${p.time}`,
  inHand: (p: { readonly balance: string; readonly limit: string }) =>
    `requests in hand; ${p.balance} more could be granted now${p.limit}`,
  requestsASecond: 'Requests a second',
  drawnSoon: 'Drawn as soon as crawlers have been at work for a minute.',
  noBudget: 'without a budget',
  againstBudget: (p: { readonly budget: string }) => `against a budget of ${p.budget}`,
  requestsOfAll: (p: { readonly time: string; readonly budget: string }) =>
    `Requests a second of all members over ${p.time}, ${p.budget}`,
  budget: 'Budget',
  isBehind: (p: { readonly name: string; readonly items: string }) => `The reader “${p.name}” is ${p.items} behind.`,
  atWork: (p: { readonly members: string; readonly n: number }) => `${p.members} ${form(p.n, 'is', 'are')} at work`,
  notAllWell: (p: { readonly there: string }) => `${p.there}, but not all is well.`,
  allWell: (p: { readonly there: string }) => `All well: ${p.there}, and everything that has to be done has an owner.`,
  nobodyMoves: 'Nobody moves the price: it follows the last day until a crawler takes over.',
  noRole: (p: { readonly role: string; readonly again: string }) =>
    `No ${p.role} is at work: start one with --role ${p.again}.`,
  waitFor: (p: { readonly free: string; readonly shards: number; readonly role: string }) =>
    `${p.free} of ${count(p.shards)} wait for a ${p.role}.`,
  notHeard: (p: { readonly name: string; readonly time: string }) =>
    `${p.name} has not been heard of for ${p.time}; others have taken over its work.`,
}
