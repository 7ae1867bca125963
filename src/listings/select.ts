import { compile, is, type Options, selectAll, selectOne } from 'css-select'
import { DomUtils } from 'htmlparser2'
import { HeadwaterError } from '../runtime/errors.ts'
import { isElement, type Page, type PageElement, type PageNode } from './page.ts'

type Root = Page['root']
type AnyNode = Root | PageNode
type CompiledSelector = ReturnType<typeof compile<AnyNode, PageElement>>

const LONGEST_SELECTOR = 500
/** Looks at a node; 150,000 nodes for each of five selectors, and as much again for those that look back. */
const MOST_STEPS = 3_000_000
/** Characters of text that count as one. */
const STEP_CHARS = 20

/**
 * Finds elements by CSS selectors of people. Each look at a node is counted, whatever the selector does: one that would
 * take for ever is refused with SELECTOR_TOO_COSTLY, one that is none with SELECTOR_INVALID.
 */
export class Selection {
  private steps = 0
  private readonly options: Options<AnyNode, PageElement>
  private readonly compiled = new Map<string, CompiledSelector>()

  constructor(private readonly mostSteps = MOST_STEPS) {
    this.options = { adapter: this.countingAdapter(), cacheResults: true }
  }

  all(selector: string, within: Root | PageElement): PageElement[] {
    return this.run(selector, (query) => selectAll(query, within, this.options))
  }

  /** The first in these elements, themselves included. */
  first(selector: string, among: readonly PageElement[]): PageElement | null {
    return this.run(selector, (query) => {
      for (const element of among) {
        const found = is(element, query, this.options) ? element : selectOne(query, element.children, this.options)
        if (found !== null) return found
      }
      return null
    })
  }

  private run<Result>(selector: string, search: (query: CompiledSelector) => Result): Result {
    return search(this.compiled.get(selector) ?? this.compileOnce(selector))
  }

  private compileOnce(selector: string): CompiledSelector {
    const query = this.compileSelector(selector)
    this.compiled.set(selector, query)
    return query
  }

  private compileSelector(selector: string): CompiledSelector {
    if (selector.trim() === '' || selector.length > LONGEST_SELECTOR) {
      throw new HeadwaterError('SELECTOR_INVALID', `${selector.length} characters; 1 to ${LONGEST_SELECTOR} are read`)
    }
    try {
      return compile(selector, this.options)
    } catch (error) {
      throw new HeadwaterError('SELECTOR_INVALID', `"${selector}": ${error instanceof Error ? error.message : error}`)
    }
  }

  private step(count = 1): void {
    this.steps += count
    if (this.steps > this.mostSteps) throw new HeadwaterError('SELECTOR_TOO_COSTLY', `after ${this.mostSteps} steps`)
  }

  private countingAdapter(): NonNullable<Options<AnyNode, PageElement>['adapter']> {
    return {
      isTag: (node): node is PageElement => {
        this.step()
        return isElement(node as PageNode)
      },
      getAttributeValue: (element, name) => {
        this.step()
        return element.attribs[name]
      },
      hasAttrib: (element, name) => {
        this.step()
        return Object.hasOwn(element.attribs, name)
      },
      getName: (element) => {
        this.step()
        return element.name
      },
      getChildren: (node) => {
        this.step()
        return DomUtils.getChildren(node)
      },
      getParent: (element) => {
        this.step()
        return DomUtils.getParent(element)
      },
      getSiblings: (node) => {
        this.step()
        return DomUtils.getSiblings(node)
      },
      prevElementSibling: (node) => {
        this.step()
        return DomUtils.prevElementSibling(node)
      },
      getText: (node) => {
        const text = DomUtils.textContent(node)
        this.step(1 + Math.ceil(text.length / STEP_CHARS))
        return text
      },
      removeSubsets: (nodes) => {
        this.step(nodes.length)
        return DomUtils.removeSubsets(nodes)
      },
    }
  }
}
