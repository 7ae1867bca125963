import type { ReactNode } from 'react'
import { count } from '../amounts.ts'

export const enNetwork = {
  sourcesLine: (p: { readonly n: number }) => `${count(p.n)} sources`,
  polledHere: 'polled here',
  thisNode: 'This node',
  feedsFollowed: (p: { readonly n: number }) => `${count(p.n)} feeds followed`,
  nothingFollowed: 'nothing followed',
  oneFollowed: '1 feed followed',
  title: 'Network',
  namesNodes: 'It names other nodes, and what is followed of them.',
  theNetwork: 'the network',
  refused: (p: { readonly code: string; readonly n: number }) => `${p.code}: ${count(p.n)} refused. `,
  thisNodeIs: (p: { readonly node: ReactNode; readonly key: ReactNode; readonly refusals: ReactNode }) => (
    <>
      This node is {p.node}, key {p.key}. {p.refusals}
    </>
  ),
  proposed: 'Proposed',
  proposeFollow: (p: {
    readonly title: ReactNode
    readonly url: ReactNode
    readonly sources: string
    readonly cost: string
  }) => (
    <>
      Follow {p.title} ({p.url}): best for {p.sources}, hops + α·distance {p.cost}
    </>
  ),
  proposePause: (p: { readonly url: ReactNode }) => <>Pause {p.url}: another is better</>,
  confirm: 'Confirm',
  noOther: 'No other node yet',
  noOtherWords: "Nodes can follow each other's query feeds, and share the polling of sources that they have in common.",
  proposes: 'It proposes what to follow, and asks before it does. docs/network.md has the whole way.',
  whoReadsWhom: 'Who reads whom',
  picture: 'Picture of the network',
  pictureWords: (p: { readonly sources: number; readonly nodes: number; readonly feeds: number }) =>
    `${count(p.sources)} sources, ${count(p.nodes)} other nodes, ${count(p.feeds)} feeds followed; the tables below have the same in words`,
  followedFeeds: 'Followed feeds, last day',
  feed: 'Feed',
  node: 'Node',
  hops: 'Hops',
  items: 'Items',
  delay: 'Delay',
  lost: 'Lost',
  pushes: 'Pushes',
  polls: 'Polls',
  circle: 'circle, each item once',
  nodes: 'Nodes',
  state: 'State',
  about: 'About',
  distance: 'Distance',
  feeds: 'Feeds',
  refusedHead: 'Refused',
  sharing: 'Sharing the polling',
  inCommon: 'In common',
  polledThere: 'Polled there',
  asked: 'Asked at origins',
  passedOn: 'Passed on',
  ofAlone: 'Of asking alone',
  news: 'News',
  checks: 'Checks',
  wrong: 'Wrong',
  learnt: 'Learnt',
  silent: 'silent',
  reached: 'reached',
  trusted: 'trusted',
}
