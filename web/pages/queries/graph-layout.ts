export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly name: string
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly kind: string
}

export interface PlacedNode extends GraphNode {
  readonly layer: number
  readonly row: number
}

/**
 * In layers: what is read is left of what reads it, each as far left as it can. Feeds never need themselves
 * (QUERY_CYCLE), so that ends; should an answer hold a circle all the same, its nodes stay where they were met first.
 */
export function layerNodes(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): PlacedNode[] {
  const readsOf = new Map<string, GraphEdge[]>()
  for (const edge of edges) readsOf.set(edge.to, [...(readsOf.get(edge.to) ?? []), edge])
  const layers = new Map<string, number>()
  const layerOf = (id: string, above: ReadonlySet<string>): number => {
    const known = layers.get(id)
    if (known !== undefined) return known
    if (above.has(id)) return 0
    const seen = new Set(above).add(id)
    const layer = Math.max(0, ...(readsOf.get(id) ?? []).map(({ from }) => layerOf(from, seen) + 1))
    layers.set(id, layer)
    return layer
  }
  const rows = new Map<number, number>()
  return nodes.map((node) => {
    const layer = layerOf(node.id, new Set())
    const row = rows.get(layer) ?? 0
    rows.set(layer, row + 1)
    return { ...node, layer, row }
  })
}
