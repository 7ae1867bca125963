import { type DomDocument, type DomElement, lineOf } from '../page/dom.ts'
import { CAPTION } from '../page/text.ts'

/** Removes what is never part of an article, whatever it looks like, before the article is looked for. */
export function prepareDocument(document: DomDocument): void {
  for (const element of document.body.querySelectorAll(NEVER)) element.remove()
  const pageLength = document.body.textContent.length
  for (const element of document.body.querySelectorAll('[class], [id]')) {
    const name = `${element.className} ${element.id}`
    if (CAPTION_NAME.test(name) && isCaption(element)) element.setAttribute(CAPTION, '')
    else if (BESIDE.test(name) && !TEXT_NAME.test(name) && isSmall(element, pageLength)) element.remove()
  }
  // Themes say there what the page has (`has-sidebar`) and hide it until scripts have run; readability would take it for a verdict.
  for (const root of [document.documentElement, document.body]) {
    for (const name of ['class', 'id', 'style', 'hidden', 'aria-hidden', 'role']) root.removeAttribute(name)
  }
}

const NEVER = 'nav, dialog, [hidden]'

/** Words of class names that stand for what is beside an article; readability spares them where `article` or `content` stands there, too. */
const BESIDE =
  /(?:^|[\s_-])(?:related|newsletters?|promo|shar(?:e|ing)|social|recommend(?:ed|ations?)|trending|popular|adverts?|advertisement|ads?|sponsor(?:ed)?|outbrain|taboola|breadcrumbs?|disqus|subscri(?:be|ption)|signup|sign-up|author-?(?:bio|box|info|card)|about-(?:the-)?author|bio|tags?|taglist|comments?|cookies?|gdpr|skip-?link|skip|screen-reader-text|sr-only|visually-?hidden|print-only|read-?more|more-?stories|most-?read|up-?next|jp-relatedposts|sharedaddy|post-navigation|pagination|toolbar|masthead|widget)(?:$|[\s_-])/i
/** `entry-content entry-content-read-more` is the article. */
const TEXT_NAME = /(?:entry|post|article|story)[-_]?(?:content|body|text)/i
const LONGEST_BESIDE = 1_500
const LARGEST_SHARE = 0.25

/** A wrapper of the whole page may be called so as well. */
function isSmall(element: DomElement, pageLength: number): boolean {
  const { length } = element.textContent
  return length < LONGEST_BESIDE && length < LARGEST_SHARE * pageLength
}

const CAPTION_NAME = /caption|(?:^|[\s_-])(?:credits?|photo-?credit|image-?credit)(?:$|[\s_-])/i
const LONGEST_CAPTION = 500

function isCaption(element: DomElement): boolean {
  return (
    element.localName !== 'figcaption' &&
    element.querySelector('img') === null &&
    lineOf(element).length < LONGEST_CAPTION
  )
}
