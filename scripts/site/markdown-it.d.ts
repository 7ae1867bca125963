/** As much of it as the site uses. */
declare module 'markdown-it' {
  export interface Token {
    type: string
    tag: string
    content: string
    children: Token[] | null
    attrGet(name: string): string | null
    attrSet(name: string, value: string): void
  }
  export default class MarkdownIt {
    constructor(options?: { html?: boolean; linkify?: boolean })
    parse(text: string, environment: object): Token[]
    renderer: { render(tokens: Token[], options: object, environment: object): string }
    options: object
  }
}
