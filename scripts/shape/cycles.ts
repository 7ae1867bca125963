import { posix } from 'node:path'
import { entryAt } from '../../src/model/entry-at.ts'

/** Who imports whom: paths of files. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Groups of two or more that reach each other, each in order (Tarjan 1972, without recursion into long chains of files). */
export function cyclesOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const found: string[][] = []
  for (const root of graph.keys()) if (!order.has(root)) visit(root)
  return found.map((group) => group.sort()).sort((a, b) => (entryAt(a, 0) < entryAt(b, 0) ? -1 : 1))

  function visit(start: string): void {
    const stack = [{ node: start, next: enter(start) }]
    while (stack.length > 0) {
      const { node, next } = stack.at(-1)!
      const { value: target, done } = next.next()
      if (done) {
        stack.pop()
        const above = stack.at(-1)
        if (above !== undefined) lower(above.node, lowest.get(node)!)
        if (lowest.get(node) === order.get(node)) close(node)
      } else if (!order.has(target)) {
        stack.push({ node: target, next: enter(target) })
      } else if (isOpen.has(target)) {
        lower(node, order.get(target)!)
      }
    }
  }

  function enter(node: string): Iterator<string, undefined> {
    order.set(node, order.size)
    lowest.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
    return (graph.get(node) ?? new Set<string>()).values()
  }

  function lower(node: string, to: number): void {
    if (to < lowest.get(node)!) lowest.set(node, to)
  }

  function close(node: string): void {
    const group = open.splice(open.indexOf(node))
    for (const member of group) isOpen.delete(member)
    if (group.length > 1) found.push(group)
  }
}

/**
 * Cycles between what is in one folder: its files, and its subfolders with all that is below them. So a folder may use its
 * subfolders, and they what is beside them, as long as it does not come back to them.
 */
export function folderCycles(graph: Graph): string[][] {
  const folders = new Set([...graph.keys()].flatMap(foldersAbove))
  return [...folders].sort().flatMap((folder) => cyclesOf(within(graph, folder)).filter(hasFolder))
}

/** Cycles of files alone are reported as such. */
const hasFolder = (group: readonly string[]) => group.some((member) => member.endsWith('/'))

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)]
}

/** The same imports, seen from a folder. */
function within(graph: Graph, folder: string): Graph {
  const seen = new Map<string, Set<string>>()
  for (const [from, targets] of graph) {
    const child = childOf(folder, from)
    if (child === null) continue
    const reached = seen.get(child) ?? new Set<string>()
    seen.set(child, reached)
    for (const target of targets) {
      const other = childOf(folder, target)
      if (other !== null && other !== child) reached.add(other)
    }
  }
  return seen
}

function childOf(folder: string, path: string): string | null {
  const prefix = folder === '.' ? '' : `${folder}/`
  if (!path.startsWith(prefix)) return null
  const [first, ...rest] = path.slice(prefix.length).split('/')
  return rest.length === 0 ? `${prefix}${first}` : `${prefix}${first}/`
}
