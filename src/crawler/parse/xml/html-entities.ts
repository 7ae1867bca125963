/**
 * The names of HTML 4.01 §24 as runs: code point in hex, then the names of it and of those that follow. Feeds use them
 * without declaring them.
 */
const RUNS =
  'a0 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml;152 OElig oelig;160 Scaron scaron;178 Yuml;192 fnof;2c6 circ;2dc tilde;391 Alpha Beta ' +
  'Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho;3a3 Sigma Tau Upsilon Phi Chi Psi ' +
  'Omega;3b1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma ' +
  'tau upsilon phi chi psi omega;3d1 thetasym upsih;3d6 piv;2002 ensp emsp;2009 thinsp;200c zwnj zwj lrm rlm;2013 ' +
  'ndash mdash;2018 lsquo rsquo sbquo;201c ldquo rdquo bdquo;2020 dagger Dagger bull;2026 hellip;2030 permil;2032 ' +
  'prime Prime;2039 lsaquo rsaquo;203e oline;2044 frasl;20ac euro;2111 image;2118 weierp;211c real;2122 trade;2135 ' +
  'alefsym;2190 larr uarr rarr darr harr;21b5 crarr;21d0 lArr uArr rArr dArr hArr;2200 forall;2202 part exist;2205 ' +
  'empty;2207 nabla isin notin;220b ni;220f prod;2211 sum minus;2217 lowast;221a radic;221d prop infin;2220 ' +
  'ang;2227 and or cap cup int;2234 there4;223c sim;2245 cong;2248 asymp;2260 ne equiv;2264 le ge;2282 sub sup ' +
  'nsub;2286 sube supe;2295 oplus;2297 otimes;22a5 perp;22c5 sdot;2308 lceil rceil lfloor rfloor;2329 lang ' +
  'rang;25ca loz;2660 spades;2663 clubs;2665 hearts diams'

function readRuns(): Map<string, string> {
  const table = new Map<string, string>([
    ['amp', '&'],
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['apos', "'"],
  ])
  for (const run of RUNS.split(';')) {
    const [first = '', ...names] = run.trim().split(' ')
    const start = Number.parseInt(first, 16)
    for (const [index, name] of names.entries()) table.set(name, String.fromCodePoint(start + index))
  }
  return table
}

export const HTML_ENTITIES: ReadonlyMap<string, string> = readRuns()
