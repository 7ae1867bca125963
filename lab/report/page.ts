import { type ReportHtml, raw, reportHtml } from './html.ts'

/** One file: style inline, plots inline, no script, nothing loaded from elsewhere (the policy forbids it too). */
export function reportPage(title: string, body: ReportHtml): string {
  return `${
    reportHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>`.markup
  }\n`
}

const STYLE = `
:root {
  --ink: #1b2430; --quiet: #5c6875; --paper: #fbfbfa; --card: #ffffff; --rule: #e2e5e9; --grid: #e9ecef;
  --good: #1d7a4c; --good-soft: #e5f4ec; --bad: #b3361f; --bad-soft: #fbeae6; --link: #1f5fa8;
  --c0: #2464ac; --c1: #d1681d; --c2: #2a8756; --c3: #a23b7c; --c4: #6f62c9; --c5: #a8810c; --c6: #0d8592; --c7: #737b85;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e3e8ee; --quiet: #98a4b1; --paper: #12161b; --card: #191f26; --rule: #2d353f; --grid: #29313a;
    --good: #6bcf9b; --good-soft: #16301f; --bad: #f08a72; --bad-soft: #3a1d17; --link: #7db4f0;
    --c0: #6aa9ea; --c1: #f09a55; --c2: #66c290; --c3: #dd82b9; --c4: #a79df2; --c5: #d8b347; --c6: #4fc0cc; --c7: #a4adb7;
  }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 74rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 .3rem } h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 } h3 { font-size: 1rem; margin: 1.8rem 0 .6rem } h4 { display: inline-block; font-size: .95rem; margin: 0 0 .4rem }
a { color: var(--link) } .quiet { color: var(--quiet); font-size: .9rem }
.contents { list-style: none; padding: 0; margin: 1.2rem 0 0; display: grid; gap: .1rem }
.contents li { display: flex; gap: .6rem; padding: .3rem 0; border-bottom: 1px solid var(--rule); align-items: baseline } .contents a { flex: 1; text-decoration: none } .contents a:hover { text-decoration: underline }
article { margin-top: 3rem; padding-top: 1.5rem; border-top: 3px solid var(--rule) }
#claims { margin-top: 2.4rem }
.claims { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .6rem }
.claims > li { background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--good); border-radius: 6px; padding: .6rem .8rem; display: grid; grid-template-columns: 1.4rem 1fr; gap: 0 .5rem }
.claims > li.broken { border-left-color: var(--bad) }
.claims > li.open { border-left-color: var(--quiet) } .open > .verdict { color: var(--quiet) }
.verdict { font-weight: 700; color: var(--good) } .broken .verdict, .verdict.broken { color: var(--bad) }
.figures { grid-column: 2; display: flex; flex-wrap: wrap; gap: .3rem .4rem; margin: .4rem 0 0; padding: 0; list-style: none; font-size: .84rem; color: var(--quiet) }
.figures li { background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; padding: .05rem .4rem } .figures b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
.plots { display: grid; align-items: start; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); gap: 1rem }
figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: .8rem .8rem .6rem; min-width: 0 }
figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .3rem }
figure > svg { display: block; width: 100%; height: auto }
svg text { font: 12.5px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--quiet); font-variant-numeric: tabular-nums } svg .label { fill: var(--ink) }
.grid { stroke: var(--grid) } .axis, .tick { stroke: var(--quiet); stroke-opacity: .6 }
.curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round } .edges { fill: none; stroke-width: .7; stroke-opacity: .75 }
.mark { stroke: var(--card); stroke-width: 1; fill: currentColor } .dots .mark { fill-opacity: .75 }
.c0 { color: var(--c0) } .c1 { color: var(--c1) } .c2 { color: var(--c2) } .c3 { color: var(--c3) } .c4 { color: var(--c4) } .c5 { color: var(--c5) } .c6 { color: var(--c6) } .c7 { color: var(--c7) }
.curve, .edges, .key line { stroke: currentColor } .key line { stroke-width: 3; stroke-linecap: round }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: .4rem 0 0; padding: 0; font-size: .84rem } .legend li { display: flex; align-items: center; gap: .4rem } .key { width: 22px; height: 10px; flex: none }
.table { margin-top: 1.2rem } .scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 8px; background: var(--card) }
summary { cursor: pointer } .more { margin-top: 1.6rem; border-top: 1px solid var(--rule); padding-top: .8rem } .more > summary h3 { display: inline-block; margin: 0 }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums }
th, td { padding: .34rem .7rem; white-space: nowrap; border-bottom: 1px solid var(--rule) } tbody tr:last-child td { border-bottom: 0 } th { color: var(--quiet); font-weight: 600; white-space: normal; vertical-align: bottom; min-width: 4.5rem }
.number { text-align: right } .text { text-align: left }
.deviations li { margin: .3rem 0; max-width: 62rem }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .7rem; font-size: .86rem; align-items: center } .bars .name { text-align: right } .bars .bar { display: flex; align-items: center; gap: .4rem; min-width: 0 } .bars .bar i { height: .85rem; min-width: 2px; background: var(--c0); border-radius: 0 3px 3px 0 } .bars .bar.marked i { background: var(--c1) } .bars .bar span { font-variant-numeric: tabular-nums; color: var(--quiet); white-space: nowrap }
@media (max-width: 40rem) { svg text { font-size: 16px } .contents .quiet { display: none } .verdict { white-space: nowrap } figure { padding: .6rem .5rem } }
@media print { body { max-width: none } figure, .claims > li, .table { break-inside: avoid } }
`
