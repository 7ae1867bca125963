import type { Page } from 'playwright-core'

// What runs in the page is given as text: the types of a browser's document must not leak into code that has none.

const LIVING_PARTS = `(() => {
  const found = []
  const content = document.querySelector('article .content')
  const inside = content ? [...content.querySelectorAll('*')] : []
  const alive = 'script, style, iframe, object, embed, svg, math, form, input, button, link, meta, base, audio, video, template'
  for (const element of inside) {
    const isOfThePage = element.hasAttribute('style') || element.hasAttribute('id') || element.hasAttribute('class')
    if (element.matches(alive) || isOfThePage) found.push(element.outerHTML.slice(0, 120))
  }
  for (const element of document.querySelectorAll('main *')) {
    for (const { name, value } of element.attributes) {
      const isAddress = /^(href|src|action|formaction|data|xlink:href)$/i.test(name)
      if (/^on/i.test(name) || (isAddress && !/^(https?:|[/]|#)/i.test(value))) found.push(name + '=' + value.slice(0, 80))
    }
  }
  return found
})()`

/** Elements and attributes that could run, leave the item, or load more than images; a line for each. */
export function livingParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LIVING_PARTS)
}

/** Empty, or by how much the page is wider than its screen. */
export async function tooWide(page: Page): Promise<string[]> {
  const [width, screen] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  return width > screen + 1 ? [`${width} px in a screen of ${screen}`] : []
}

/** What has the focus: its text, and how its outline is drawn. */
export function focused(page: Page): Promise<{ readonly text: string; readonly outline: string }> {
  return page.evaluate<{ text: string; outline: string }>(
    '({ text: document.activeElement.textContent, outline: getComputedStyle(document.activeElement).outlineStyle })',
  )
}
