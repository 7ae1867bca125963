export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export function linkTo(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/gi
/** Ends a sentence rather than an address. */
const AFTER_ADDRESS = /[.,;:!?)\]}'*]+$/

/** Plain text as it was meant: paragraphs, lines, and addresses that can be followed. */
export function textAsHtml(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*(?:\n[ \t]*)+/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineAsHtml).join('<br>')}</p>`)
    .join('\n')
}

function lineAsHtml(line: string): string {
  let html = ''
  let end = 0
  for (const { 0: match, index } of line.matchAll(WEB_ADDRESS)) {
    const url = match.replace(AFTER_ADDRESS, '')
    html += escapeHtml(line.slice(end, index)) + linkTo(url, url)
    end = index + url.length
  }
  return html + escapeHtml(line.slice(end))
}
