import { type ElementHandler, mergeHandlers } from './extractor.ts'
import { splitCategories } from './modules.ts'

/** Atom names it in an attribute, RSS in its text; either may occur in the other. */
export const categoryElement: ElementHandler = {
  open: (x) => x.target.addCategory(x.attribute('term') ?? x.attribute('label') ?? ''),
  text: 'plain',
  close: (x, v) => x.target.addCategory(v),
  children: mergeHandlers({ category: { text: 'plain', close: (x, v) => x.target.addCategory(v) } }),
}

/** `<categories><category>` and `<tags><tag>`; or a list with commas. */
export const categoryList: ElementHandler = {
  text: 'plain',
  close: splitCategories,
  children: mergeHandlers({
    category: categoryElement,
    tag: categoryElement,
    'atom:category': categoryElement,
    'dc:subject': categoryElement,
    keyword: categoryElement,
  }),
}
