import type { Words } from '../words.ts'

export const deProblems = {
  noAnswer: 'Der Knoten antwortet nicht',
  noAnswerHint: 'Läuft er noch? Diese Seite versucht es von selbst weiter.',
  answered: (p: { readonly status: string }) => `Der Knoten antwortete mit ${p.status}`,
  tryAgain: 'Noch einmal versuchen; das Protokoll des Knotens sagt mehr.',
  tryIn: (p: { readonly time: string }) => `in ${p.time} noch einmal versuchen`,
} satisfies Words['problems']
