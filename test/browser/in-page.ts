import type { Page } from 'playwright-core'

// What runs in the page is given as text: the types of a browser's document must not leak into code that has none.

/** Empty, or by how much the page is wider than its screen. */
export async function tooWide(page: Page): Promise<string[]> {
  // A chart follows the width of its place one drawing later, and on a busy machine that takes a while.
  for (let tries = SETTLING_TRIES; ; tries--) {
    const [width, screen] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    if (width <= screen + 1) return []
    if (tries === 0) return [`${width} px in a screen of ${screen}`]
    await page.waitForTimeout(100)
  }
}

const SETTLING_TRIES = 30

/** What has the focus: its text, and how its outline is drawn. */
export function focusedElement(page: Page): Promise<{ readonly text: string; readonly outline: string }> {
  return page.evaluate<{ text: string; outline: string }>(
    '({ text: document.activeElement.textContent, outline: getComputedStyle(document.activeElement).outlineStyle })',
  )
}

/** Drags a file from somewhere over an element and lets it go there. */
export async function dropFile(
  page: Page,
  selector: string,
  file: { readonly name: string; readonly type: string; readonly text: string },
): Promise<void> {
  const carried = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer()
    const { name, type, text } = ${JSON.stringify(file)}
    carried.items.add(new File([text], name, { type }))
    return carried
  })()`)
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, kind, { dataTransfer: carried })
  }
}
