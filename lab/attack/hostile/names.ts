import { EVIL, joinVector, type Vector } from './vector.ts'

/** Names that the page, its libraries or the browser look up: an element with such a name would replace it. */
const TAKEN =
  `root main app body head documentElement forms images links scripts cookie domain location URL referrer title
  defaultView implementation getElementById querySelector querySelectorAll createElement createTextNode addEventListener
  appendChild append remove children childNodes firstChild attributes nodeName nodeType parentNode ownerDocument innerHTML
  textContent dataset style fetch history navigator performance localStorage sessionStorage caches crypto DOMParser React
  ReactDOM __REACT_DEVTOOLS_GLOBAL_HOOK__ __proto__ constructor prototype toString valueOf hasOwnProperty self top parent
  opener frames window document event name length status pwned`.split(/\s+/)

export function nameVectors(): readonly Vector[] {
  const forms: readonly ((name: string) => string)[] = [
    (name) => `<a id="${name}" href="${EVIL}/">x</a>`,
    (name) => `<a id="${name}"></a><a id="${name}" name="x" href="${EVIL}/x">x</a>`,
    (name) => `<img name="${name}" src="x" alt="x"><embed name="${name}"><object id="${name}"></object>`,
    (name) => `<form id="${name}" name="${name}"><input name="${name}"><input name="attributes"></form>`,
    (name) => `<iframe name="${name}" srcdoc="<a id=x href=${EVIL}>x</a>"></iframe>`,
  ]
  const clobbering = forms.map((form, i) =>
    joinVector(`names that are taken, ${i + 1} of ${forms.length} ways`, TAKEN.map(form)),
  )
  const ofThePage = [
    'topbar',
    'gate',
    'shell',
    'panel',
    'notice bad',
    'visually-hidden',
    'badge bad',
    'reader',
    'content',
  ]
  return [
    ...clobbering,
    joinVector(
      'classes of the page',
      ofThePage.map((one) => `<div class="${one}" id="${one}" role="alert" aria-live="assertive">x</div>`),
    ),
    joinVector('elements that do things by themselves', [
      '<dialog open>x</dialog>',
      '<div popover="auto" id="p">x</div><button popovertarget="p" commandfor="p" command="show-popover">x</button>',
      '<details open name="a"><summary>x</summary><p>x</p></details>',
      '<label for="root">x</label><output for="root">x</output>',
      '<a href="#main" accesskey="j">x</a><p tabindex="99999" accesskey="k">x</p>',
      '<input type="password" name="password" autofocus><button type="submit">Log in</button>',
      '<select size="99"><option selected>x</option></select><textarea autofocus>x</textarea>',
      '<p contenteditable="true" autofocus draggable="true" inert hidden>x</p>',
      '<slot name="x"></slot><x-y is="z"></x-y>',
    ]),
    joinVector('links that open what they should not', [
      `<a href="${EVIL}/" target="_blank">x</a><a href="${EVIL}/" target="_top" rel="opener">x</a>`,
      `<a href="${EVIL}/" target="_parent">x</a><a href="${EVIL}/" target="main">x</a>`,
      `<a href="${EVIL}/" ping="${EVIL}/ping" referrerpolicy="unsafe-url" attributionsrc="${EVIL}/a">x</a>`,
      `<a href="${EVIL}/x.exe" download="invoice.pdf">x</a><a href="/api/backup" download>x</a>`,
      '<a href="/api/session">x</a><a href="?item=1">x</a><a href="#root">x</a><a href="">x</a>',
    ]),
  ]
}
