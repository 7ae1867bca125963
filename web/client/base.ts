const { base = '' } = document.documentElement.dataset

/** Below which path of its host the node is, as '/reader'; '' at the top. The node writes it into the page. */
export const BASE = base.startsWith('/') ? base : ''
