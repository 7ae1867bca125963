import { joinVector, type Vector } from './vector.ts'

/** Every element of HTML, present and obsolete; of SVG; of MathML. */
const HTML =
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body
  br button canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl
  dt element em embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header
  hgroup hr html i iframe image img input ins isindex kbd keygen label layer legend li link listing main map mark marquee
  menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param
  picture plaintext portal pre progress q rb rbc rp rt rtc ruby s samp script search section select selectedcontent shadow
  slot small source spacer span strike strong style sub summary sup table tbody td template textarea tfoot th thead time
  title tr track tt u ul var video wbr x-custom xml xmp xss`.split(/\s+/)
const SVG =
  `a animate animateColor animateMotion animateTransform audio canvas circle clipPath defs desc ellipse feBlend
  feFlood feImage filter font foreignObject g handler iframe image line linearGradient listener marker mask metadata mpath
  path pattern polygon polyline radialGradient rect script set stop style svg switch symbol text textPath title tspan use
  video view`.split(/\s+/)
const MATH = `annotation annotation-xml maction maligngroup malignmark math menclose merror mfenced mfrac mglyph mi
  mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msup mtable mtd mtext mtr
  munder semantics`.split(/\s+/)

/** What makes an element busy by itself, so that its handlers have something to handle. */
const BUSY =
  'src=x href=x data=x poster=x srcset=x autofocus autoplay loop controls open tabindex=1 contenteditable draggable=true popover=manual type=image accesskey=x style="animation:x 1ms;transition:all 1ms" begin=0s dur=1ms attributeName=x to=x'

/** Names that browsers had once, or give to elements that have no property for them. */
export const OLD_HANDLERS =
  `onactivate onafterprint onafterscriptexecute onbeforeactivate onbeforescriptexecute onbegin onbounce onend
  onerrorupdate onfilterchange onfinish onfocusin onfocusout onforminput onmediacomplete onmouseenter onmozfullscreenchange
  onoutofsync onpropertychange onreadystatechange onrepeat onrowsenter onseek onstart onsyncrestored ontimeerror ontouchstart
  onunload onurlflip onwebkitanimationend onwheel FSCommand seekSegmentTime`.split(/\s+/)

/** Ways of writing the same attribute that parsers read differently. */
const SPELLINGS: Readonly<Record<string, (tag: string, handler: string) => string>> = {
  plain: (tag, on) => `<${tag} src=x ${on}="pwned()">x</${tag}>`,
  'single quotes': (tag, on) => `<${tag} src='x' ${on}='pwned()'>x</${tag}>`,
  'no quotes': (tag, on) => `<${tag} src=x ${on}=pwned()>x</${tag}>`,
  'grave accents': (tag, on) => `<${tag} src=\`x\` ${on}=\`pwned()\`>x</${tag}>`,
  slashes: (tag, on) => `<${tag}/src="x"/${on}="pwned()"//>`,
  capitals: (tag, on) => `<${tag.toUpperCase()} SRC=x ${on.toUpperCase()}=pwned()>`,
  'lines and tabs': (tag, on) => `<${tag}\n\tsrc=x\r\n${on}\t=\n"pwned()"\f>`,
  'control characters': (tag, on) => `<${tag} src=x \u000b${on}=pwned() \u001f${on}\u0000=pwned()>`,
  'other spaces': (tag, on) => `<${tag} src=x\u00a0${on}=pwned()\u3000${on}=pwned()>`,
  entities: (tag, on) => `<${tag} src=x ${on}="&#112;&#x77;n&#101d(&rpar;)&lpar;">`,
  'no end': (tag, on) => `<${tag} src=x ${on}=pwned() `,
  'quote too many': (tag, on) => `<${tag} title="a"b"c" src=x ${on}=pwned()">`,
  'sign between': (tag, on) => `<${tag} src=x "${on}=pwned() '${on}=pwned() =${on}=pwned() <${on}=pwned()>`,
  twice: (tag, on) => `<${tag} src=x ${on}=void(0) ${on}=pwned()>`,
  namespaced: (tag, on) => `<${tag} src=x xml:${on}=pwned() svg:${on}=pwned() data-${on}=pwned()>`,
}

export function handlerVectors(handlers: readonly string[]): readonly Vector[] {
  const all = handlers.map((handler) => `${handler}="pwned()"`).join(' ')
  const element = (tag: string) => `<${tag} ${BUSY} ${all}>x</${tag}>`
  return [
    ...HTML.map((tag) => ({ name: `every handler on ${tag}`, html: element(tag) })),
    joinVector(
      'every handler on SVG',
      SVG.map((tag) => `<svg>${element(tag)}</svg>`),
    ),
    joinVector(
      'every handler on MathML',
      MATH.map((tag) => `<math>${element(tag)}</math>`),
    ),
    ...['img', 'svg', 'input', 'details', 'video', 'body', 'p', 'x-custom'].map((tag) =>
      joinVector(
        `each handler alone on ${tag}`,
        handlers.map((handler) => `<${tag} ${BUSY} ${handler}="pwned()">x</${tag}>`),
      ),
    ),
    ...speltVectors(),
  ]
}

function speltVectors(): readonly Vector[] {
  const handlers = ['onerror', 'onload', 'onfocus', 'onclick', 'ontoggle']
  return Object.entries(SPELLINGS).flatMap(([name, spell]) =>
    ['img', 'svg', 'input', 'details'].map((tag) => ({
      name: `handler on ${tag}: ${name}`,
      html: handlers.map((handler) => spell(tag, handler)).join('\n'),
    })),
  )
}
