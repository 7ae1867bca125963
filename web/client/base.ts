/** Below which path of its host the node is, as '/reader'; '' at the top. The node writes it into the page. */
export const BASE = document.documentElement.dataset.base ?? ''
