import type { Words } from '../words.ts'

export const deCharts = {
  nothingKnown: 'Hier ist nichts bekannt',
  arrowKeys: (p: { readonly summary: string }) => `${p.summary}. Pfeiltasten lesen Werte vor.`,
  nothingInAnyHour: 'In keiner Stunde etwas.',
  mostOn: (p: { readonly hour: string; readonly value: string; readonly unit: string }) =>
    `Am meisten: ${p.hour}, ${p.value} ${p.unit}.`,
  nothingToDraw: 'Noch nichts zu zeichnen.',
} satisfies Words['charts']
