import type { Page } from 'playwright-core'

/**
 * What a person would see as broken, measured in the page: words broken inside, text cut off by its box, or beyond the edge of
 * the screen. What may break anywhere (addresses) says so in its style; what is shortened on purpose ends with an ellipsis;
 * boxes that scroll are no mistake; scripts without spaces break between any two letters (UAX 14).
 */
const MEASURE = `(() => {
  const found = new Set()
  const isShown = (element) => {
    if (element.closest('.visually-hidden, [hidden], .skip, svg, dialog:not([open])')) return false
    const style = getComputedStyle(element)
    return style.visibility !== 'hidden' && style.display !== 'none' && element.getClientRects().length > 0
  }
  const scrolls = (element) => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const { overflowX } = getComputedStyle(one)
      if (overflowX === 'auto' || overflowX === 'scroll') return true
    }
    return false
  }
  const edge = document.documentElement.clientWidth
  const name = (element) => element.tagName.toLowerCase() + (element.className && typeof element.className === 'string' ? '.' + element.className.trim().split(/\\s+/).join('.') : '')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (node.data.trim() === '' || !isShown(parent)) continue
    const style = getComputedStyle(parent)
    const mayBreak = style.overflowWrap === 'anywhere' || style.wordBreak === 'break-all'
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width > 0 && (box.right > edge + 1 || box.left < -1) && !scrolls(parent) && style.position !== 'fixed') {
      const hider = parent.closest('.name, .title, code')
      const isShortened = hider && getComputedStyle(hider).textOverflow === 'ellipsis'
      if (!isShortened) found.add('beyond the edge: "' + node.data.trim().slice(0, 40) + '" in ' + name(parent))
    }
    if (mayBreak || style.whiteSpace === 'nowrap' || box.height < 1.5 * parseFloat(style.fontSize)) continue
    for (const match of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      if (/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]/u.test(match[0])) continue
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))
      if (Math.max(...tops) - Math.min(...tops) > 4) found.add('broken inside: "' + match[0] + '" in ' + name(parent))
    }
  }
  for (const element of document.querySelectorAll('body *')) {
    if (!isShown(element) || element.textContent.trim() === '' || element.matches('input, select, textarea, option')) continue
    const style = getComputedStyle(element)
    const hides = style.overflowX === 'hidden' || style.overflowX === 'clip'
    if (!hides || style.textOverflow === 'ellipsis' || element.clientWidth <= 1) continue
    const over = element.scrollWidth - element.clientWidth
    if (over > 1) found.add('cut off by ' + over + ' px: ' + name(element))
  }
  // What a field says of itself while it is empty.
  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('input[placeholder]')) {
    if (!isShown(field)) continue
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    pen.font = font
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    if (pen.measureText(field.placeholder).width > room + 1) found.add('cut off in its field: "' + field.placeholder + '"')
  }
  // Figures stand under the word that says what they are.
  for (const table of document.querySelectorAll('table')) {
    const head = table.tHead && isShown(table) && isShown(table.tHead) ? [...table.tHead.rows[0].cells] : []
    const line = table.tBodies[0]?.rows[0] ? [...table.tBodies[0].rows[0].cells] : []
    head.slice(0, line.length).forEach((cell, i) => {
      const away = Math.abs(cell.getBoundingClientRect().left - line[i].getBoundingClientRect().left)
      if (away > 2) found.add('not under its heading: "' + cell.textContent.trim() + '" in ' + name(table))
    })
  }
  return [...found]
})()`

/** Empty where nothing is broken. */
export async function brokenParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(MEASURE)
}
