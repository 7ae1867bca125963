import { childElements, type Page, type PageElement } from '../page.ts'

/** Elements that are built alike, and so may be the items of a list. */
export interface Group {
  readonly members: readonly PageElement[]
  /** A class that all of them have and few others; null: none. */
  readonly className: string | null
}

const FEWEST = 3
const MOST_GROUPS = 150
/** Parts of a page that are never an item of their own. */
const NEVER: ReadonlySet<string> = new Set(
  'html head body title meta link script br hr img input button select option label form thead tbody col b i em strong small span sup sub'.split(
    ' ',
  ),
)

/**
 * Groups of elements at the same path of tags from the root: all of them, those of one parent, and those with a class in
 * common. Classes differ within a list (odd and even rows, a wide first card), tags hardly do.
 */
export function findGroups(page: Page): Group[] {
  const groups: Group[] = []
  for (const members of byPath(page).values()) {
    if (members.length < FEWEST) continue
    groups.push({ members, className: null })
    const families = byParent(members)
    if (families.length > 1) {
      for (const family of families) if (family.length >= FEWEST) groups.push({ members: family, className: null })
    }
    groups.push(...byClass(members))
  }
  return groups.sort((a, b) => b.members.length - a.members.length).slice(0, MOST_GROUPS)
}

function byPath(page: Page): Map<string, PageElement[]> {
  const paths = new Map<string, PageElement[]>()
  const walk = (element: PageElement, above: string): void => {
    const path = `${above}>${element.name}`
    if (!NEVER.has(element.name)) {
      const known = paths.get(path)
      if (known === undefined) paths.set(path, [element])
      else known.push(element)
    }
    for (const child of childElements(element)) walk(child, path)
  }
  for (const element of page.root.children) if ('attribs' in element) walk(element, '')
  return paths
}

function byParent(members: readonly PageElement[]): PageElement[][] {
  const families = new Map<PageElement['parent'], PageElement[]>()
  for (const member of members) {
    const family = families.get(member.parent)
    if (family === undefined) families.set(member.parent, [member])
    else family.push(member)
  }
  return [...families.values()]
}

function byClass(members: readonly PageElement[]): Group[] {
  const found = new Map<string, PageElement[]>()
  for (const member of members) {
    for (const name of classesOf(member)) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [member])
      else known.push(member)
    }
  }
  return [...found].filter(([, own]) => own.length >= FEWEST).map(([className, own]) => ({ members: own, className }))
}

/** Those that a selector can name without escapes. */
export function classesOf({ attribs }: PageElement): string[] {
  return [...new Set((attribs['class'] ?? '').split(/\s+/))].filter((name) => /^[a-z_][\w-]*$/i.test(name)).slice(0, 10)
}
