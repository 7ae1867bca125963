// Runs in the reader's browser, also where the site is opened as files: no request, no module.
;(() => {
  const root = document.currentScript?.dataset.root ?? ''
  const input = document.querySelector('input[type="search"]')
  const found = document.getElementById('found')
  const MOST = 20

  /** Every word must begin a word of the section; what is in its title counts more. */
  function search(text) {
    const words = text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_-]+/u)
      .filter(Boolean)
    if (words.length === 0) return []
    const rated = []
    for (const entry of window.SEARCH_INDEX ?? []) {
      const title = ` ${entry.page} ${entry.title} `.toLowerCase()
      let points = 0
      for (const word of words) {
        const gain = (title.includes(` ${word}`) ? 10 : 0) + (` ${entry.words}`.includes(` ${word}`) ? 1 : 0)
        points = gain === 0 ? Number.NEGATIVE_INFINITY : points + gain
      }
      if (points > 0) rated.push({ entry, points })
    }
    return rated.sort((a, b) => b.points - a.points || a.entry.words.length - b.entry.words.length).slice(0, MOST)
  }

  function show() {
    const text = input.value.trim()
    found.hidden = text === ''
    const links = search(text).map(({ entry }) => {
      const link = document.createElement('a')
      link.href = root + entry.path
      link.textContent = entry.title === entry.page ? entry.page : `${entry.page}: ${entry.title}`
      const small = document.createElement('small')
      small.textContent = entry.start
      link.append(small)
      return link
    })
    found.replaceChildren(...(links.length > 0 ? links : [document.createTextNode('Nothing was found.')]))
  }

  input?.addEventListener('input', show)
  input?.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    found.querySelector('a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') found.hidden = true
  })

  const COLOURS = ['--d1', '--d2', '--d3', '--d4', '--d5', '--d6']
  const FRAME = { height: 320, left: 56, right: 12, top: 28, bottom: 40 }
  const WIDEST = 720
  const TICK_PX = 40

  function element(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
    if (text !== undefined) made.textContent = text
    return made
  }

  /** Round ticks: 1, 2 or 5 times a power of ten; of a logarithmic axis the powers themselves. */
  function scaleOf(values, isLog, start, end) {
    const usable = isLog ? values.filter((value) => value > 0) : values
    const least = Math.min(...usable)
    const most = Math.max(...usable)
    if (isLog) {
      const [low, high] = [
        Math.floor(Math.log10(least)),
        Math.max(Math.ceil(Math.log10(most)), Math.floor(Math.log10(least)) + 1),
      ]
      const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
      return { ticks, place: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start) }
    }
    const from = least > 0 && least < most / 2 ? 0 : least
    const rough = (most - from || 1) / 5
    const power = 10 ** Math.floor(Math.log10(rough))
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)
    const low = Math.floor(from / step) * step
    const high = Math.ceil((most || 1) / step) * step
    const count = Math.round((high - low) / step)
    const ticks = Array.from({ length: count + 1 }, (_, index) => Number((low + index * step).toPrecision(12)))
    return { ticks, place: (value) => start + ((value - low) / (high - low)) * (end - start) }
  }

  function short(value) {
    return Math.abs(value) >= 10_000 || (value !== 0 && Math.abs(value) < 0.001)
      ? value.toExponential(1)
      : String(Number(value.toPrecision(4)))
  }

  function drawChart(figure) {
    const { curves, isLog, xLabel, yLabel } = JSON.parse(figure.querySelector('script').textContent)
    const plot = figure.querySelector('.plot')
    // As wide as there is room: scaled down for a phone its figures could not be read.
    const frame = { ...FRAME, width: Math.min(WIDEST, plot.clientWidth || WIDEST) }
    const off = new Set()
    const values = document.createElement('div')
    values.className = 'values'
    const legend = document.createElement('div')
    legend.className = 'legend'
    for (const [index, { name }] of curves.entries()) {
      const button = document.createElement('button')
      button.type = 'button'
      button.setAttribute('aria-pressed', 'true')
      const line = document.createElement('i')
      line.style.background = `var(${COLOURS[index % COLOURS.length]})`
      button.append(line, name)
      button.addEventListener('click', () => {
        off.has(index) ? off.delete(index) : off.add(index)
        button.setAttribute('aria-pressed', String(!off.has(index)))
        draw()
      })
      legend.append(button)
    }
    const svg = element('svg', {
      viewBox: `0 0 ${frame.width} ${frame.height}`,
      role: 'img',
      'aria-label': figure.querySelector('figcaption').textContent,
    })
    plot.append(svg, legend, values)

    function draw() {
      const shown = curves
        .map((curve, index) => ({ ...curve, colour: `var(${COLOURS[index % COLOURS.length]})`, index }))
        .filter(({ index }) => !off.has(index))
      const all = shown.length > 0 ? shown : curves
      const x = scaleOf(
        all.flatMap((curve) => curve.x),
        isLog.x,
        frame.left,
        frame.width - frame.right,
      )
      const y = scaleOf(
        all.flatMap((curve) => curve.y),
        isLog.y,
        frame.height - frame.bottom,
        frame.top,
      )
      svg.replaceChildren(...axes(x, y))
      for (const { x: xs, y: ys, colour } of shown) {
        const points = xs
          .map((value, index) => [value, ys[index]])
          .filter(([a, b]) => (!isLog.x || a > 0) && (!isLog.y || b > 0))
        const path = points
          .map(([a, b], index) => `${index === 0 ? 'M' : 'L'}${x.place(a).toFixed(1)} ${y.place(b).toFixed(1)}`)
          .join('')
        svg.append(
          element('path', { d: path, fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-linejoin': 'round' }),
        )
      }
      const cursor = element('line', {
        class: 'cursor',
        y1: frame.top,
        y2: frame.height - frame.bottom,
        visibility: 'hidden',
      })
      svg.append(cursor)
      svg.onpointermove = (event) => {
        const box = svg.getBoundingClientRect()
        const at = ((event.clientX - box.left) / box.width) * frame.width
        const candidates = shown.flatMap((curve) => curve.x)
        const near = candidates.reduce(
          (best, value) => (Math.abs(x.place(value) - at) < Math.abs(x.place(best) - at) ? value : best),
          candidates[0],
        )
        if (near === undefined) return
        cursor.setAttribute('x1', String(x.place(near)))
        cursor.setAttribute('x2', String(x.place(near)))
        cursor.setAttribute('visibility', 'visible')
        const parts = shown.flatMap(({ name, x: xs, y: ys }) =>
          xs.includes(near) ? [`${name} ${short(ys[xs.indexOf(near)])}`] : [],
        )
        values.textContent = `${xLabel} ${short(near)}: ${parts.join(', ')}`
      }
      svg.onpointerleave = () => {
        cursor.setAttribute('visibility', 'hidden')
        values.textContent = ''
      }
    }

    function axes(x, y) {
      const bottom = frame.height - frame.bottom
      const every = Math.ceil(x.ticks.length / ((frame.width - frame.left) / TICK_PX))
      const fits = (_, index) => index % every === 0
      return [
        ...y.ticks.flatMap((tick) => [
          element('line', {
            class: 'grid',
            x1: frame.left,
            x2: frame.width - frame.right,
            y1: y.place(tick),
            y2: y.place(tick),
          }),
          element('text', { x: frame.left - 6, y: y.place(tick) + 4, 'text-anchor': 'end' }, short(tick)),
        ]),
        ...x.ticks
          .filter(fits)
          .map((tick) => element('text', { x: x.place(tick), y: bottom + 16, 'text-anchor': 'middle' }, short(tick))),
        element('text', { x: (frame.left + frame.width) / 2, y: frame.height - 6, 'text-anchor': 'middle' }, xLabel),
        element('text', { x: 4, y: 14 }, yLabel),
      ]
    }
    draw()
  }

  for (const figure of document.querySelectorAll('figure.chart')) drawChart(figure)
})()
