import type { NetworkView } from '../../app/network/network-service.ts'
import { relative } from '../output.ts'
import type { Style } from '../style.ts'
import { table } from '../table.ts'

export function networkWords(view: NetworkView, now: number, style: Style | undefined): string {
  const { node, fingerprint, profileUrl, isOn, sources, refusals } = view
  const about = isOn ? profileUrl : 'the setting network is off: other nodes learn nothing'
  const sections = [
    `Node ${node}\nKey  ${fingerprint}\nSays ${about}\n${sources} sources of its own\n`,
    nodesWords(view, now, style),
    edgesWords(view, style),
    proposalWords(view, style),
    peersWords(view, style),
    refusals.length === 0 ? '' : `Refused: ${refusals.map(({ code, count }) => `${code} ${count}`).join(', ')}\n`,
  ]
  return sections.filter((text) => text !== '').join('\n')
}

function nodesWords({ nodes }: NetworkView, now: number, style: Style | undefined): string {
  if (nodes.length === 0) return 'It knows no other node. `headwater network join URL` begins.\n'
  const rows = nodes.map(({ url, failure, feeds, distance, lookedAt, refused }) => [
    url,
    failure?.code ?? (lookedAt === null ? 'new' : 'reached'),
    String(feeds),
    distance === null ? '–' : distance.toFixed(2),
    lookedAt === null ? '–' : relative(lookedAt, now),
    String(refused),
  ])
  return table(['NODE', 'STATE', 'FEEDS', 'DISTANCE', 'LOOKED', 'REFUSED'], rows, style)
}

function edgesWords({ edges }: NetworkView, style: Style | undefined): string {
  if (edges.length === 0) return ''
  const rows = edges.map(({ title, node, hops, items, delayMs, lost, pushes, polls, isCircle }) => [
    title,
    node,
    String(hops),
    String(items),
    delayMs === null ? '–' : `${Math.round(delayMs / 1_000)} s`,
    String(Math.round(lost)),
    `${pushes}/${polls}`,
    isCircle ? 'circle, neutralised' : '',
  ])
  return table(['FOLLOWS', 'NODE', 'HOPS', 'ITEMS', 'DELAY', 'LOST', 'PUSHES/POLLS', ''], rows, style)
}

export function proposalWords({ proposal, nodes }: NetworkView, style: Style | undefined): string {
  const refused = nodes.flatMap(({ url, failure }) =>
    failure === null ? [] : [`${url}: ${failure.message} [${failure.code}]\n`],
  )
  if (proposal === null) return refused.join('')
  const rows = proposal.follow.map(({ title, url, cost, distance, hops, sources }) => [
    title,
    url,
    cost.toFixed(2),
    distance.toFixed(2),
    String(hops),
    String(sources),
  ])
  return [
    ...refused,
    rows.length === 0
      ? 'Nothing new to follow is proposed.\n'
      : table(['PROPOSED', 'FEED', 'COST', 'DISTANCE', 'HOPS', 'SOURCES'], rows, style),
    ...proposal.leave.map((url) => `To pause: ${url} (another parent is better)\n`),
    ...proposal.circles.map((url) => `Left out: ${url} (it would close a circle)\n`),
  ].join('')
}

function peersWords({ peers }: NetworkView, style: Style | undefined): string {
  if (peers.length === 0) return ''
  const rows = peers.map(({ url, failure, isSilent, common, polledThere, asked, passedOn, ...rest }) => [
    url,
    failure?.code ?? (isSilent ? 'silent' : 'trusted'),
    `${polledThere} of ${common}`,
    String(asked),
    String(passedOn),
    String(rest.news),
    `${rest.lies} of ${rest.checks}`,
    String(rest.learnt),
  ])
  return table(['TRUSTED', 'STATE', 'POLLED THERE', 'ASKED', 'PASSED ON', 'NEWS', 'WRONG', 'LEARNT'], rows, style)
}
