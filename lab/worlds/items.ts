import { HOUR_MS, type InstantMs, MINUTE_MS, type Random } from '../../src/model/index.ts'
import type { FeedPlan } from './feed-plan.ts'
import { hashWord, keyedRandom, pick } from './keyed-random.ts'
import type { WorldPublication } from './publication.ts'
import { SOUND_BYTES } from './sound.ts'
import { articleHtml, authorName, headline, topicWord } from './text.ts'

/** What an item says, the same at every call: seed, feed and key decide everything. */
export interface WorldItem {
  readonly key: string
  readonly publishedAt: InstantMs
  /** Moment of the edit that is already visible; null: as first published. */
  readonly editedAt: InstantMs | null
  readonly id: string | null
  readonly link: string
  readonly title: string
  readonly html: string
  readonly author: string | null
  readonly categories: readonly string[]
  /** Address of a picture of it. */
  readonly image: string | null
  readonly enclosure: { readonly url: string; readonly type: string; readonly lengthBytes: number } | null
}

export interface ItemContext {
  readonly seed: number
  readonly feedIndex: number
  readonly plan: FeedPlan
  /** Ends with a slash. */
  readonly siteUrl: string
}

const CONTENT = 1
const EDITING = 2
const PICTURE = 4

/** When the item will be (or was) edited; null: never. */
export function editMoment(publication: WorldPublication, context: ItemContext): InstantMs | null {
  const { editShare } = context.plan.habits
  if (editShare === 0) return null
  const random = chance(publication.key, context, EDITING)
  if (random() >= editShare) return null
  return Math.floor(publication.at + MINUTE_MS + random() * 6 * HOUR_MS)
}

export function itemId(key: string, context: ItemContext): string | null {
  const { ids, format } = context.plan.habits
  // RSS 0.91 has no place for an id.
  return ids === 'id' && format !== 'rss-0.91' ? `urn:world:${context.seed}:${context.feedIndex}:${key}` : null
}

export function itemLink(key: string, context: ItemContext): string {
  return context.plan.habits.ids === 'none' ? context.siteUrl : `${context.siteUrl}items/${key}`
}

export function itemTitle(key: string, context: ItemContext): string {
  return titleFrom(chance(key, context, CONTENT), key, context)
}

export function worldItem(publication: WorldPublication, editedAt: InstantMs | null, context: ItemContext): WorldItem {
  const { habits } = context.plan
  const { key, at } = publication
  const random = chance(key, context, CONTENT)
  const title = titleFrom(random, key, context)
  const author = random() < 0.8 ? authorName(habits.language, random) : null
  const categories = Array.from({ length: Math.floor(random() * 3) }, () => topicWord(habits.language, random))
  const enclosure = random() < habits.enclosureShare ? enclosureFor(key, context) : null
  const body = bodyOf(context, random)
  const edit = editedAt === null ? '' : `<p><strong>+</strong> ${addition(context, random)}</p>`
  const image = imageOf(key, context)
  const picture = image === null ? '' : `<p><img src="${image}" alt=""></p>`
  // Generated titles may be alike: what an item says tells it apart.
  const mark = context.plan.headlines === null ? `<p><small>${context.feedIndex}:${key}</small></p>` : ''
  const html = `${picture}${body}${edit}${mark}`
  return {
    key,
    publishedAt: at,
    editedAt,
    id: itemId(key, context),
    link: itemLink(key, context),
    title,
    html,
    author,
    categories: [...new Set(categories)],
    image,
    enclosure,
  }
}

function bodyOf({ plan, siteUrl }: ItemContext, random: Random): string {
  if (plan.stories !== undefined) return storyHtml(plan.stories, plan.longestStory ?? plan.stories.length, random)
  const text = articleHtml(plan.habits.language, siteUrl, random)
  // A feed with pictures of its own needs no others.
  return plan.habits.pictureShare > 0 ? text.replace(/<img [^>]*> /g, '') : text
}

/** What an edit adds. */
function addition({ plan }: ItemContext, random: Random): string {
  if (plan.stories !== undefined) return filledIn(pick(plan.stories, random), random)
  return `${headline(plan.habits.language, random)}.`
}

const SENTENCES_A_PARAGRAPH = 3

/** Some of the sentences, none twice, in paragraphs. */
function storyHtml(sentences: readonly string[], longest: number, random: Random): string {
  const left = [...sentences]
  const length = Math.min(left.length, 1 + Math.floor((0.4 + 0.6 * random()) * longest))
  const chosen = Array.from({ length }, () =>
    filledIn(left.splice(Math.floor(random() * left.length), 1)[0] ?? '', random),
  )
  let html = ''
  for (let at = 0; at < chosen.length; at += SENTENCES_A_PARAGRAPH) {
    html += `<p>${chosen.slice(at, at + SENTENCES_A_PARAGRAPH).join(' ')}</p>`
  }
  return html
}

function titleFrom(random: Random, key: string, context: ItemContext): string {
  const { plan } = context
  const text =
    plan.headlines === null ? headline(plan.habits.language, random) : filledIn(pick(plan.headlines, random), random)
  // Without id and link of its own an item can only be known by what it says.
  return plan.habits.ids === 'none' ? `${text} (${key})` : text
}

/** `{a|b}` is a choice, `{n}` a number. */
function filledIn(template: string, random: Random): string {
  return template.replace(/\{([^}]+)\}/g, (_, choices: string) =>
    choices === 'n' ? String(1 + Math.floor(random() * 98)) : pick(choices.split('|'), random),
  )
}

function imageOf(key: string, context: ItemContext): string | null {
  const { pictureShare } = context.plan.habits
  if (pictureShare === 0 || chance(key, context, PICTURE)() >= pictureShare) return null
  return `${context.siteUrl}images/${key}.svg`
}

function enclosureFor(key: string, context: ItemContext): WorldItem['enclosure'] {
  return {
    url: `${context.siteUrl}media/${key}.wav`,
    type: 'audio/wav',
    lengthBytes: SOUND_BYTES,
  }
}

function chance(key: string, context: ItemContext, purpose: number): Random {
  return keyedRandom(context.seed, context.feedIndex, hashWord(key), purpose)
}
