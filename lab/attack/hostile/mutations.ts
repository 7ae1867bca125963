import type { Vector } from './vector.ts'

const LIVE = '<img src=x onerror=pwned()>'

/** What each opens, and how it is left again; what is inside is read by other rules than outside. */
const CONTEXTS: readonly (readonly [open: string, close: string])[] = [
  ['<noscript>', '</noscript>'],
  ['<noembed>', '</noembed>'],
  ['<noframes>', '</noframes>'],
  ['<xmp>', '</xmp>'],
  ['<plaintext>', ''],
  ['<listing>', '</listing>'],
  ['<iframe>', '</iframe>'],
  ['<textarea>', '</textarea>'],
  ['<title>', '</title>'],
  ['<style>', '</style>'],
  ['<script type="text/plain">', '</script>'],
  ['<template>', '</template>'],
  ['<template shadowrootmode=open>', '</template>'],
  ['<select><option>', '</option></select>'],
  ['<select><template>', '</template></select>'],
  ['<table><caption>', '</caption></table>'],
  ['<table><tr><td><form>', '</form></td></tr></table>'],
  ['<form><table><form>', '</form></table></form>'],
  ['<svg>', '</svg>'],
  ['<svg><style>', '</style></svg>'],
  ['<svg><title>', '</title></svg>'],
  ['<svg><desc>', '</desc></svg>'],
  ['<svg><foreignObject>', '</foreignObject></svg>'],
  ['<svg></p><style>', '</style></svg>'],
  ['<svg><![CDATA[', ']]></svg>'],
  ['<math>', '</math>'],
  ['<math><style>', '</style></math>'],
  ['<math><mtext>', '</mtext></math>'],
  ['<math><mtext><table><mglyph><style>', '</style></mglyph></table></mtext></math>'],
  ['<math><mi><malignmark>', '</malignmark></mi></math>'],
  ['<math><annotation-xml>', '</annotation-xml></math>'],
  ['<math><annotation-xml encoding="text/html">', '</annotation-xml></math>'],
  ['<math><annotation-xml encoding="application/xhtml+xml">', '</annotation-xml></math>'],
  ['<!--', '-->'],
  ['<!-->', '-->'],
  ['<!--->', '-->'],
  ['<!--', '--!>'],
  ['<!-- <!-- -->', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?php ', '?>'],
  ['<!x ', '>'],
  ['</ ', '>'],
  ['<a title="', '">'],
  ["<a title='", "'>"],
  ['<a title=`', '`>'],
]

/** Ways to hide the end of the one in an attribute, a comment or a text of the other. */
const HIDINGS: readonly ((close: string, inner: readonly [string, string]) => string)[] = [
  (close, [open, end]) => `${open}${close}${LIVE}${end}`,
  (close, [open, end]) => `${open}<a title="${close}${LIVE}">${end}`,
  (close, [open, end]) => `${open}<!--${close}${LIVE}-->${end}`,
  (close, [open, end]) => `${open}<b id='${close}&lt;img src=x onerror=pwned()&gt;'>${end}`,
]

/** Each context in each other, with an end that one parser sees and another does not. */
export function mutationVectors(): readonly Vector[] {
  return CONTEXTS.flatMap(([open, close], at) =>
    HIDINGS.map((hide, way) => {
      const inner = CONTEXTS.map((context) => `<p>${open}${hide(close, context)}${close}</p>`)
      return { name: `${open} with another in it, ${way + 1} of ${HIDINGS.length} ways`, html: spreadParts(inner, at) }
    }),
  )
}

/** Another one stands first in each: what is not closed takes with it what follows. */
function spreadParts(parts: readonly string[], by: number): string {
  return [...parts.slice(by), ...parts.slice(0, by)].join('\n')
}

/** One in another, alone, so that nothing before it takes it along. */
export function nestedVectors(): readonly Vector[] {
  return CONTEXTS.flatMap(([open, close], at) =>
    CONTEXTS.filter((_, i) => i % 9 === at % 9).map(([inside, end]) => ({
      name: `${open}${inside}`,
      html: `${open}${inside}${close}${LIVE}${end}${LIVE}${close}`,
    })),
  )
}
