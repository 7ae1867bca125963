import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** The form of every phrase`…` in the node, by the place where it is written. */
export function phraseForms(): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
    const text = readFileSync(`src/${path}`, 'utf8')
    if (!text.includes('phrase`')) continue
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'phrase') forms.set(formOf(node.template), path)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  }
  return forms
}

function formOf(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text
  return template.templateSpans.reduce((form, { literal }, i) => `${form}{${i + 1}}${literal.text}`, template.head.text)
}

/** What the rules of single settings say, in the table of settings: texts behind `.regex`, `.refine` and `error:`. */
export function messagesOfRules(): ReadonlySet<string> {
  const path = 'src/app/settings/config.ts'
  const messages = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isRule =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(regex|refine)$/.test(node.expression.name.text)
    const text = isRule
      ? node.arguments[1]
      : ts.isPropertyAssignment(node) && node.name.getText() === 'error'
        ? node.initializer
        : undefined
    if (text !== undefined && ts.isStringLiteral(text)) messages.add(text.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
  return messages
}
