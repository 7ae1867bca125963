import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** What is the same in every language: names, formats, addresses, keys. */
const SAME_EVERYWHERE = new Set(['Headwater', 'RSS', 'Atom', 'JSON', 'https://example.org/', 'A', 'L', 'M'])
/** Attributes that people read or hear. */
const READ =
  /^(title|label|alt|placeholder|help|legend|lead|summary|what|note|unit|save|button|intro|xLabel|data-name|name|aria-(label|description|valuetext|roledescription))$/
/** Two words in a row are a sentence, unless they are code. */
const SENTENCE = /\p{L}{2,} \p{L}{2,}/u
/** Strings that are no words for people, though they look so: each with what it is. */
const CODE: readonly RegExp[] = [
  /^headwater (move|serve|network) /, // a command
  /^(CREATE FEED|LAST \d|SOURCE CATEGORY$)/, // the query language
  /^no session above/, // for who writes the dashboard
  /^noopener noreferrer/, // for the browser
]

interface Finding {
  readonly line: number
  readonly text: string
}

function literalWords(path: string, text: string): Finding[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: Finding[] = []
  const add = (node: ts.Node, words: string) => {
    if (SAME_EVERYWHERE.has(words.trim()) || CODE.some((form) => form.test(words.trim()))) return
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: words.trim().slice(0, 60) })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isJsxAttribute(node)) {
      ofAttribute(node)
      return
    }
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) add(node, node.text)
    else if (ts.isStringLiteralLike(node) && SENTENCE.test(node.text)) add(node, node.text)
    else if (ts.isTemplateExpression(node) && SENTENCE.test(textOf(node))) add(node, textOf(node))
    ts.forEachChild(node, visit)
  }
  const ofAttribute = ({ name, initializer }: ts.JsxAttribute): void => {
    if (initializer === undefined || /^(className|d|style)$/.test(name.getText())) return
    if (!ts.isStringLiteral(initializer)) {
      visit(initializer)
      return
    }
    const isName = name.getText() === 'name' && /^[a-z]/.test(initializer.text)
    if (READ.test(name.getText()) && !isName && /\p{L}/u.test(initializer.text)) add(initializer, initializer.text)
  }
  visit(file)
  return found
}

/** What a style sheet would write into the page: a word, not a sign or an attribute. */
const WORDS_IN_CSS = /content:\s*(['"])[^'"]*\p{L}[^'"]*\1/gu

function textOf({ head, templateSpans }: ts.TemplateExpression): string {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join('3')
}

describe('words in the dashboard', () => {
  const paths = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.startsWith('language'))
    .map((path) => `web/${path}`)

  it('come from the catalogue, all of them', () => {
    expect(paths.length).toBeGreaterThan(80)
    const found = paths.flatMap((path) =>
      literalWords(path, readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line} ${text}`),
    )
    expect(found).toEqual([])
  })

  it('stand in no style sheet', () => {
    const styles = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
    expect(styles.length).toBeGreaterThan(10)
    const found = styles.flatMap((path) => (readFileSync(`web/${path}`, 'utf8').match(WORDS_IN_CSS) ?? []).map(String))
    expect(found).toEqual([])
    expect('.a::before { content: "next check "; }'.match(WORDS_IN_CSS)).toHaveLength(1)
  })

  it.each([
    ['text', '<p>Hello</p>'],
    ['text beside a value', '<p>{count} items</p>'],
    ['a label', '<input aria-label="Search" />'],
    ['a property of ours', '<Tile name="Late" />'],
    ['a choice in the text', "<p>{isOn ? 'It is on' : null}</p>"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code in a string
    ['a sentence with a value', '<p title={`Last seen ${when}`} />'],
  ])('are found as %s', (_name, jsx) => {
    expect(literalWords('x.tsx', `const x = ${jsx}`)).toHaveLength(1)
  })

  it.each([
    ['the name of the program', '<b>Headwater</b>'],
    ['a class', '<p className="small muted" />'],
    ['a value for the code', "<p data-x={isOn ? 'on' : 'off'} />"],
    ['a word of the catalogue', '<p>{t.read.more}</p>'],
  ])('are not seen in %s', (_name, jsx) => expect(literalWords('x.tsx', `const x = ${jsx}`)).toEqual([]))
})
