import { type Field, fields } from './extractor.ts'
import { splitCategories } from './modules.ts'

/** Atom names it in an attribute, RSS in its text; either may stand in the other. */
export const category: Field = {
  open: (x) => x.target.addCategory(x.attribute('term') ?? x.attribute('label') ?? ''),
  text: 'plain',
  close: (x, v) => x.target.addCategory(v),
  children: fields({ category: { text: 'plain', close: (x, v) => x.target.addCategory(v) } }),
}

/** `<categories><category>` and `<tags><tag>`; or a list with commas. */
export const categoryList: Field = {
  text: 'plain',
  close: splitCategories,
  children: fields({ category, tag: category, 'atom:category': category, 'dc:subject': category, keyword: category }),
}
