import ts from 'typescript'

/** What one file says, read from its syntax alone: no types, so that a thousand files take seconds. */
export interface FileSyntax {
  /** Relative to the checkout, with slashes. */
  readonly path: string
  readonly isTest: boolean
  readonly lines: number
  readonly functions: readonly FunctionLength[]
  readonly exports: readonly ExportedName[]
  readonly imports: readonly ImportedFile[]
  /** `x!`, and those of them on an index: `x[i]!`. */
  readonly nonNull: number
  readonly nonNullOnIndex: number
  /** `x as T`; not `as const`. */
  readonly casts: number
}

export interface FunctionLength {
  readonly name: string
  readonly line: number
  readonly lines: number
}

export interface ExportedName {
  readonly name: string
  readonly isType: boolean
  /** It is used in the file itself, apart from its declaration. */
  readonly isUsedInside: boolean
  /** `export { a as b } from './c.ts'`: where it comes from. */
  readonly from: { readonly file: string; readonly name: string } | null
}

export interface ImportedFile {
  /** As it is written. */
  readonly file: string
  /** `*`: all that it exports. */
  readonly names: readonly string[]
  /** `export * from`: hands all names on and uses none. */
  readonly isHandedOn: boolean
}

const TEST = /(^|\/)test\/|\.(test|contract|fixture)\.tsx?$/

export function readSyntax(path: string, text: string): FileSyntax {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const nodes = [...descendants(source)]
  return {
    path,
    isTest: TEST.test(path),
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    functions: nodes.flatMap((node) => functionLength(node, source)),
    exports: exportedNames(source, nodes),
    imports: nodes.flatMap(importsOf),
    nonNull: nodes.filter(ts.isNonNullExpression).length,
    nonNullOnIndex: nodes.filter((n) => ts.isNonNullExpression(n) && ts.isElementAccessExpression(n.expression)).length,
    casts: nodes.filter((n) => ts.isAsExpression(n) && !ts.isConstTypeReference(n.type)).length,
  }
}

function* descendants(node: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) {
    yield child
    yield* descendants(child)
  }
}

/** Functions with a body in braces; `(x) => x + 1` is an expression. Inner functions count for themselves and in the outer one. */
function functionLength(node: ts.Node, source: ts.SourceFile): FunctionLength[] {
  if (!ts.isFunctionLike(node)) return []
  const body = (node as ts.FunctionLikeDeclaration).body
  if (body === undefined || !ts.isBlock(body)) return []
  const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line
  const to = source.getLineAndCharacterOfPosition(node.getEnd()).line
  return [{ name: functionName(node), line: from + 1, lines: to - from + 1 }]
}

function functionName(node: ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const name = node.name ?? (node.parent as { readonly name?: ts.Node }).name
  return name === undefined ? '(nameless)' : name.getText()
}

function exportedNames(source: ts.SourceFile, nodes: readonly ts.Node[]): ExportedName[] {
  const mentions = new Map<string, number>()
  for (const node of nodes) if (ts.isIdentifier(node)) mentions.set(node.text, (mentions.get(node.text) ?? 0) + 1)
  const own = (name: string, isType: boolean): ExportedName => ({
    name,
    isType,
    isUsedInside: (mentions.get(name) ?? 0) > 1,
    from: null,
  })
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return listedExports(statement, source, own)
    if (ts.isExportAssignment(statement)) return [own('default', false)]
    if (!hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return []
    if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) return [own('default', false)]
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
    return declaredNames(statement).map((name) => own(name, isType))
  })
}

function listedExports(
  statement: ts.ExportDeclaration,
  source: ts.SourceFile,
  own: (name: string, isType: boolean) => ExportedName,
): ExportedName[] {
  if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) return []
  const file = statement.moduleSpecifier
  return statement.exportClause.elements.map((element) => {
    const isType = statement.isTypeOnly || element.isTypeOnly
    const name = element.name.text
    const original = (element.propertyName ?? element.name).text
    if (file !== undefined && ts.isStringLiteral(file)) {
      return { name, isType, isUsedInside: false, from: { file: file.text, name: original } }
    }
    return { ...own(name, isType), from: originOf(original, source) }
  })
}

/** `import { a } from './b.ts'` and `export { a }`, in two steps. */
function originOf(local: string, source: ts.SourceFile): ExportedName['from'] {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : []
    const element = elements.find(({ name }) => name.text === local)
    if (element !== undefined) {
      return { file: statement.moduleSpecifier.text, name: (element.propertyName ?? element.name).text }
    }
  }
  return null
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name).map((bound) => bound.local))
  }
  const { name } = statement as { readonly name?: ts.Node }
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
}

interface BoundName {
  readonly local: string
  readonly original: string
}

function boundNames(name: ts.BindingName): BoundName[] {
  if (ts.isIdentifier(name)) return [{ local: name.text, original: name.text }]
  return name.elements.flatMap((element) => {
    if (ts.isOmittedExpression(element)) return []
    const original = element.propertyName?.getText()
    return boundNames(element.name).map((bound) => ({ local: bound.local, original: original ?? bound.original }))
  })
}

function importsOf(node: ts.Node): ImportedFile[] {
  if (ts.isImportDeclaration(node)) return imported(node.moduleSpecifier, clauseNames(node.importClause))
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return imported(node.moduleSpecifier, [], true)
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return imported(node.argument.literal, [node.qualifier?.getText().split('.')[0] ?? '*'])
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return imported(node.arguments[0], awaitedNames(node))
  }
  return []
}

function imported(file: ts.Node | undefined, names: readonly string[], isHandedOn = false): ImportedFile[] {
  return file !== undefined && ts.isStringLiteral(file) ? [{ file: file.text, names, isHandedOn }] : []
}

function clauseNames(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return []
  const first = clause.name === undefined ? [] : ['default']
  const bindings = clause.namedBindings
  if (bindings === undefined) return first
  if (ts.isNamespaceImport(bindings)) return [...first, '*']
  return [...first, ...bindings.elements.map((element) => (element.propertyName ?? element.name).text)]
}

/** `const { a } = await import(…)` and `(await import(…)).a` use a; whatever else is done with it may use everything. */
function awaitedNames(call: ts.CallExpression): string[] {
  if (!ts.isAwaitExpression(call.parent)) return ['*']
  let outer: ts.Node = call.parent.parent
  while (ts.isParenthesizedExpression(outer)) outer = outer.parent
  if (ts.isPropertyAccessExpression(outer)) return [outer.name.text]
  if (ts.isVariableDeclaration(outer) && ts.isObjectBindingPattern(outer.name)) {
    return boundNames(outer.name).map(({ original }) => original)
  }
  return ['*']
}
