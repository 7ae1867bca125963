import { joinCategory } from './category-path.ts'
import { type ListCollector, nonEmpty } from './list-collector.ts'
import type { ListReader } from './outline-reader.ts'

interface Feed {
  readonly url: string
  readonly siteUrl: string | null
  readonly name: string | null
}

interface Agent {
  readonly kind: 'agent' | 'group'
  name: string | null
  readonly feeds: Feed[]
  readonly pages: string[]
  seeAlso: string | null
}

/**
 * Friend-of-a-friend lists in RDF, as planets and Yandex export them: an agent (or person) has weblogs with a feed
 * each, a group of them is a category. Names may follow what they name, so that all is settled where an element ends.
 */
export function foafReader(collector: ListCollector): ListReader {
  const open: Agent[] = []
  let siteUrl: string | null = null
  let documentHasFeed = false
  let knowsDepth = 0

  function begin(kind: Agent['kind']): void {
    open.push({ kind, name: null, feeds: [], pages: [], seeAlso: null })
  }

  function addFeed(address: string | undefined): void {
    const url = nonEmpty(address)
    if (url === null) return
    documentHasFeed = true
    const owner = open.at(-1)
    if (owner === undefined) collector.addFeed(url, null, siteUrl, [])
    else owner.feeds.push({ url, siteUrl, name: null })
  }

  function endDocument(): void {
    if (siteUrl !== null && !documentHasFeed) open.at(-1)?.pages.push(siteUrl)
    siteUrl = null
  }

  function endAgent(): void {
    const agent = open.pop()
    if (agent === undefined) return
    for (const page of agent.pages) collector.addPage(page, agent.name)
    if (knowsDepth > 0 && agent.seeAlso !== null) collector.addList(agent.seeAlso, agent.name)
    const named = agent.feeds.map((feed) => ({ ...feed, name: feed.name ?? agent.name }))
    const group = open.findLast(({ kind }) => kind === 'group')
    if (group !== undefined) group.feeds.push(...named)
    else for (const feed of named) collector.addFeed(feed.url, feed.name, feed.siteUrl, [])
  }

  function endGroup(): void {
    const group = open.pop()
    const categories = group?.name ? [joinCategory([group.name])] : []
    for (const feed of group?.feeds ?? []) collector.addFeed(feed.url, feed.name, feed.siteUrl, categories)
  }

  return {
    text() {},
    open(name, attributes) {
      const local = localName(name)
      if (local === 'group') begin('group')
      else if (local === 'agent' || local === 'person') begin('agent')
      else if (local === 'knows') knowsDepth += 1
      else if (local === 'document') {
        siteUrl = nonEmpty(attributes['rdf:about'])
        documentHasFeed = false
      } else if (local === 'channel') addFeed(attributes['rdf:about'])
      else if (local === 'feed') addFeed(attributes['rdf:resource'])
      else if (local === 'seealso') {
        const agent = open.at(-1)
        if (agent !== undefined) agent.seeAlso ??= nonEmpty(attributes['rdf:resource'])
      }
    },
    close(name, text) {
      const local = localName(name)
      const owner = open.at(-1)
      if ((local === 'name' || local === 'member_name') && owner !== undefined) owner.name ??= nonEmpty(text)
      else if (local === 'document') endDocument()
      else if (local === 'agent' || local === 'person') endAgent()
      else if (local === 'group') endGroup()
      else if (local === 'knows') knowsDepth -= 1
    },
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
