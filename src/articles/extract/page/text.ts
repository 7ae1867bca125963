import { type DomElement, type DomNode, ELEMENT_NODE, isDomElement, TEXT_NODE } from './dom.ts'

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul video audio'.split(
    ' ',
  ),
)
/** Separate words, but not paragraphs. */
const CELLS = new Set(['td', 'th', 'option', 'button'])

/** Marks what is the caption of a picture by its class, while classes are there. */
export const CAPTION = 'data-caption-of-picture'

/** The text of an element, one paragraph a line; without captions, which interrupt it. */
export function textOfContent(root: DomElement): string {
  const writer = new LineWriter()
  write(root, writer)
  return writer.end()
}

function write(node: DomNode, writer: LineWriter): void {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === TEXT_NODE) writer.add(child.textContent)
    else if (child.nodeType === ELEMENT_NODE && isDomElement(child)) writeElement(child, writer)
  }
}

function writeElement(element: DomElement, writer: LineWriter): void {
  const { localName } = element
  if (localName === 'figcaption' || element.hasAttribute(CAPTION)) return
  const isBlock = localName === 'br' || BLOCKS.has(localName)
  if (isBlock) writer.endLine()
  write(element, writer)
  if (isBlock) writer.endLine()
  else if (CELLS.has(localName)) writer.add(' ')
}

class LineWriter {
  private readonly lines: string[] = []
  private line = ''

  add(text: string): void {
    this.line += text
  }

  endLine(): void {
    const line = this.line.replace(/\s+/g, ' ').trim()
    if (line !== '') this.lines.push(line)
    this.line = ''
  }

  end(): string {
    this.endLine()
    return this.lines.join('\n')
  }
}
