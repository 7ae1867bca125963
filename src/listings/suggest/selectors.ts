import type { Page, PageElement } from '../page.ts'
import type { Selection } from '../select.ts'
import type { Field } from './fields.ts'
import { classesOf, type Group } from './groups.ts'

const MOST_LEVELS = 4

/** The shortest selector that finds just these elements; null: none was found. */
export function selectorFor(group: Group, page: Page, selection: Selection): string | null {
  const wanted = new Set(group.members)
  const isRight = (selector: string) => {
    const found = selection.all(selector, page.root)
    return found.length === wanted.size && found.every((one) => wanted.has(one))
  }
  const [first] = group.members
  if (first === undefined) return null
  const own = ownSelectors(first, group)
  for (const selector of own) if (isRight(selector)) return selector
  let above = own
  let parents = [...new Set(group.members.map((member) => parentOf(member)))]
  for (let level = 0; level < MOST_LEVELS; level++) {
    const names = commonNames(parents)
    const longer = names.flatMap((name) => above.map((rest) => `${name} > ${rest}`))
    for (const selector of longer) if (isRight(selector)) return selector
    const bare = parents[0]?.name
    if (bare === undefined) break
    above = above.map((rest) => `${names[0] ?? bare} > ${rest}`)
    parents = [...new Set(parents.map((parent) => (parent === null ? null : parentOf(parent))))]
  }
  return byNumber(first, own).find(isRight) ?? null
}

/** One of several lists that nothing but their order tells apart. */
function byNumber(member: PageElement, own: readonly string[]): string[] {
  const parent = parentOf(member)
  const place = parent === null ? null : placeAmong(parent)
  if (parent === null || place === null) return []
  const above = commonNames([parentOf(parent)])
  return [place, ...above.map((name) => `${name} > ${place}`)].flatMap((names) =>
    own.map((rest) => `${names} > ${rest}`),
  )
}

function ownSelectors(first: PageElement, { className, members }: Group): string[] {
  const shared = classesOf(first).filter((name) => members.every((one) => classesOf(one).includes(name)))
  const names = className === null ? shared : [className, ...shared.filter((name) => name !== className)]
  return [...names.map((name) => `${first.name}.${name}`), first.name]
}

function parentOf(element: PageElement): PageElement | null {
  const { parent } = element
  return parent !== null && 'attribs' in parent ? (parent as PageElement) : null
}

/** Selectors that each of the elements answers to, by id, class or tag. */
function commonNames(elements: readonly (PageElement | null)[]): string[] {
  const [first] = elements
  if (first == null || elements.some((one) => one?.name !== first.name)) return []
  const id = first.attribs['id'] ?? ''
  const ids = elements.length === 1 && /^[a-z_][\w-]*$/i.test(id) ? [`${first.name}#${id}`] : []
  const shared = classesOf(first).filter((name) =>
    elements.every((one) => one !== null && classesOf(one).includes(name)),
  )
  return [...shared.map((name) => `${first.name}.${name}`), ...ids, first.name]
}

/** The selector that finds a field within the items; null: it is the item itself, or none is right often enough. */
export function fieldSelector(
  { elements }: Field,
  items: readonly (readonly PageElement[])[],
  selection: Selection,
): string | null {
  const [first] = elements.filter((one) => one !== null)
  if (first === undefined) return null
  const isRight = (selector: string) =>
    items.every((parts, at) => elements[at] == null || selection.first(selector, parts) === elements[at])
  return fieldNames(first, items).find(isRight) ?? null
}

function fieldNames(first: PageElement, items: readonly (readonly PageElement[])[]): string[] {
  const own = [...classesOf(first).map((name) => `${first.name}.${name}`), first.name]
  const withRest = [...own]
  let chain = own
  let parent = items.some((parts) => parts.includes(first)) ? null : parentOf(first)
  for (let level = 0; parent !== null && level < MOST_LEVELS; level++) {
    const names = [...classesOf(parent).map((name) => `${(parent as PageElement).name}.${name}`), parent.name]
    const place = placeAmong(first)
    chain = names.flatMap((name) => chain.slice(0, 3).map((rest) => `${name} > ${rest}`))
    withRest.push(...chain, ...(level === 0 && place !== null ? names.map((name) => `${name} > ${place}`) : []))
    parent = items.some((parts) => parts.includes(parent as PageElement)) ? null : parentOf(parent)
  }
  const place = placeAmong(first)
  return place === null ? withRest : [...withRest, place]
}

/** By its number among its likes: cells of a table have no other name. */
function placeAmong(element: PageElement): string | null {
  const siblings = (element.parent?.children ?? []).filter(
    (one): one is PageElement => 'attribs' in one && one.name === element.name,
  )
  const at = siblings.indexOf(element)
  return at < 0 || siblings.length === 1 ? null : `${element.name}:nth-of-type(${at + 1})`
}
