import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const WALKS = ['an item', 'a decision', 'an API call', 'a lab run']
/** Lines of a table that are seen at once. */
const ONE_SCREEN = 24

interface Step {
  readonly file: string
  readonly names: readonly string[]
  readonly text: string
}

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)

function sectionOf(walk: string): string {
  return new RegExp(`^## The walk of ${walk}\n(.*?)(?=^## )`, 'ms').exec(page)?.[1] ?? ''
}

function stepsOf(walk: string): Step[] {
  const rows = sectionOf(walk)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.map(([, file, names, text]) => ({ file: quoted(file!)[0]!, names: quoted(names!), text: text! }))
}

/** What a file declares anywhere: `name`, and `Type.member` of classes and interfaces. */
function declaredIn(path: string): ReadonlySet<string> {
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (isNamed(node)) {
      const { parent } = node
      const isMember = ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent)
      found.add(isMember ? `${parent.name?.text}.${node.name.text}` : node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isNamed(node: ts.Node): node is ts.Node & { readonly name: ts.Identifier } {
  const isDeclaration =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node)
  return isDeclaration && node.name !== undefined && ts.isIdentifier(node.name)
}

describe.each(WALKS)('the walk of %s', (walk) => {
  const steps = stepsOf(walk)

  it('fits on one screen, and says something at every step', () => {
    expect(steps.length).toBeGreaterThan(8)
    expect(sectionOf(walk).trim().split('\n').length).toBeLessThanOrEqual(ONE_SCREEN)
    expect(steps.filter(({ names, text }) => names.length === 0 || text === '')).toEqual([])
  })

  it('names files that exist', () => {
    const paths = quoted(sectionOf(walk)).filter((text) => /^(src|lab|bin|docs|test)\//.test(text))
    expect(paths.length).toBeGreaterThanOrEqual(steps.length)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it.each(steps.map((step) => [step.file, step.names] as const))('%s has %s', (file, names) => {
    const declared = declaredIn(file)
    expect(names.filter((name) => !declared.has(name))).toEqual([])
  })
})
