/** Figure 1.6 shows α = 4, 20 and 100 at 10,000 nodes; the others lie beyond the two borders that the text names. */
export const CONFIG = {
  euclidean: {
    nodes: 10_000,
    // 1/√2 is where stars end (no point of the unit square is worth a hop); √n = 100 is where likeness takes over.
    alphas: [0.5, 4, 20, 100, 1_000],
    /** A centre of a cluster: a node with at least this many readers, half of √n. */
    hubReaders: 50,
    /** The trees are drawn as they were with so many nodes. */
    drawnNodes: 2_000,
    drawnAlphas: [4, 20, 100],
  },
  /** Profiles as in 4.4.1: a dictionary of 10, of which sources have 50 % and queries 40 %. */
  jaccard: {
    sources: 20,
    queries: 300,
    dictionary: 10,
    sourceShare: 0.5,
    queryShare: 0.4,
    radii: [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
    alphas: [0.5, 2, 4, 8, 16],
    /** Constant while the other one moves. */
    alpha: 4,
    radius: 0.8,
  },
} as const
