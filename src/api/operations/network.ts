import { z } from 'zod'
import { operation } from './operation.ts'
import { duration, instant, instantOrNull } from './shared.ts'

const TAG = 'Network'
const address = z.string().trim().min(1).max(2_000)
const nodeName = z.string().max(100)
const failure = z.object({ code: z.string(), message: z.string(), at: instant }).nullable()

const networkNode = z.object({
  url: z.string(),
  /** null: it was never reached. */
  node: z.string().nullable(),
  fingerprint: z.string().nullable(),
  software: z.string().nullable(),
  lookedAt: instantOrNull,
  /** Why the last look failed; null: it was reached. */
  failure,
  looks: z.int(),
  refused: z.int(),
  feeds: z.int(),
  /** What it is mostly about. */
  keywords: z.array(z.string()),
  /** JDist of what it is about and what this node is about; null: unknown. */
  distance: z.number().nullable(),
  /** Nodes that it follows itself. */
  parents: z.array(z.string()),
  completeness: z.number().nullable(),
  delayMs: duration.nullable(),
})

/** A feed of another node that is followed here, over the last day. */
const networkEdge = z.object({
  sourceId: z.int(),
  title: z.string(),
  url: z.string(),
  /** null: of no node that is known. */
  node: z.string(),
  /** Refreshes between the farthest source behind it and this node. */
  hops: z.int(),
  items: z.int(),
  /** From publication to here. */
  delayMs: duration.nullable(),
  lost: z.number(),
  pushes: z.int(),
  polls: z.int(),
  /** Items of this node come back by it; each feed gets them once all the same. */
  isCircle: z.boolean(),
})

const networkPeer = z.object({
  node: z.string(),
  url: z.string(),
  fingerprint: z.string(),
  trustedAt: instant,
  /** Why it cannot be worked with at the moment; null: nothing is known to be wrong. */
  failure,
  isSilent: z.boolean(),
  /** Sources that both have, and those of them that it polls for this node. */
  common: z.int(),
  polledThere: z.int(),
  /** Requests of this node to the origins of these sources. */
  asked: z.int(),
  /** Documents that came from it, in place of requests to origins. */
  passedOn: z.int(),
  /** Times that it told of news. */
  news: z.int(),
  /** Requests to origins to see whether it is true, and how often it was not. */
  checks: z.int(),
  lies: z.int(),
  /** Sources that were new here, and whose past came from it. */
  learnt: z.int(),
})

export const networkView = z.object({
  /** false: the setting network is off. */
  isOn: z.boolean(),
  node: z.string(),
  fingerprint: z.string(),
  profileUrl: z.string(),
  alpha: z.number(),
  radius: z.number(),
  /** Sources that are no feeds of other nodes. */
  sources: z.int(),
  nodes: z.array(networkNode),
  edges: z.array(networkEdge),
  proposal: z
    .object({
      at: instant,
      follow: z.array(
        z.object({
          url: z.string(),
          title: z.string(),
          node: z.string(),
          distance: z.number(),
          /** hops + α·JDist. */
          cost: z.number(),
          hops: z.int(),
          /** For how many sources it is the best parent. */
          sources: z.int(),
          itemsPerDay: z.number(),
        }),
      ),
      /** Feeds that are followed and no longer the best; confirmed, they are paused. */
      leave: z.array(z.string()),
      /** Near enough, but this node's own items would come back by them. */
      circles: z.array(z.string()),
    })
    .nullable(),
  peers: z.array(networkPeer),
  /** What came from other nodes and was refused. */
  refusals: z.array(z.object({ code: z.string(), count: z.int() })),
})

export const networkOperations = {
  showNetwork: operation('showNetwork', TAG, {
    method: 'GET',
    path: '/api/network',
    right: 'admin',
    summary: 'Nodes that this one knows, what it follows of them, what is proposed, and with whom it shares work',
    answer: networkView,
  }),
  joinNetwork: operation('joinNetwork', TAG, {
    method: 'POST',
    path: '/api/network/nodes',
    right: 'admin',
    summary: 'Get to know nodes, and have proposed what to follow of them; nothing is followed yet',
    body: z.strictObject({
      urls: z.array(address).min(1).max(20),
      alpha: z.number().min(0).max(1_000).optional().describe('How much being alike counts against being near'),
      radius: z.number().min(0).max(1).optional().describe('How unlike a parent may be, from 0 (equal) to 1'),
    }),
    answer: networkView,
    audit: ({ body }) => [{ action: 'settings-changed', subject: `network join ${body.urls.join(' ').slice(0, 150)}` }],
  }),
  leaveNetworkNode: operation('leaveNetworkNode', TAG, {
    method: 'DELETE',
    path: '/api/network/nodes',
    right: 'admin',
    summary: 'Forget a node; what is followed of it stays a source',
    query: z.object({ url: address }),
    audit: ({ query }) => [{ action: 'settings-changed', subject: `network leave ${query.url.slice(0, 150)}` }],
  }),
  applyNetworkProposal: operation('applyNetworkProposal', TAG, {
    method: 'POST',
    path: '/api/network/proposal',
    right: 'admin',
    summary: 'Confirm what is proposed, or some feeds of it: they become sources',
    body: z.strictObject({ feeds: z.array(address).max(200) }),
    answer: z.object({ followed: z.array(z.string()), paused: z.array(z.string()) }),
    audit: (_input, { followed, paused }) => [
      { action: 'settings-changed', subject: `network: ${followed.length} feeds followed, ${paused.length} paused` },
    ],
  }),
  trustNetworkNode: operation('trustNetworkNode', TAG, {
    method: 'POST',
    path: '/api/network/peers',
    right: 'admin',
    summary: 'Trust a node: common sources are polled by one of the two, once it trusts this node as well',
    body: z.strictObject({
      url: address,
      fingerprint: z.string().max(100).optional().describe('Refused where its key has another one'),
    }),
    answer: z.object({ node: z.string(), url: z.string(), fingerprint: z.string() }),
    status: 201,
    audit: (_input, { node, url }) => [
      { action: 'settings-changed', subject: `network trust ${node} ${url.slice(0, 150)}` },
    ],
  }),
  revokeNetworkNode: operation('revokeNetworkNode', TAG, {
    method: 'DELETE',
    path: '/api/network/peers/{node}',
    right: 'admin',
    summary: 'Trust a node no longer',
    params: z.object({ node: nodeName }),
    audit: ({ params }) => [{ action: 'settings-changed', subject: `network revoke ${params.node}` }],
  }),
  rotateNetworkKey: operation('rotateNetworkKey', TAG, {
    method: 'POST',
    path: '/api/network/key',
    right: 'admin',
    summary: 'Take a new key, which the old one vouches for; nodes that trust this one follow it by themselves',
    answer: z.object({ fingerprint: z.string() }),
    audit: () => [{ action: 'settings-changed', subject: 'network key' }],
  }),
}
