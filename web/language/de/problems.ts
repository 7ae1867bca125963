import type { Words } from '../words.ts'

export const deProblems = {
  noAnswer: 'Der Knoten antwortet nicht',
  noAnswerHint: 'Läuft er noch? Diese Seite versucht es von selbst weiter.',
  answered: (p: { readonly status: string }) => `Der Knoten antwortete mit ${p.status}`,
  tryAgain: 'Noch einmal versuchen; das Protokoll des Knotens sagt mehr.',
  tryIn: (p: { readonly time: string }) => `in ${p.time} noch einmal versuchen`,
  notAllowed: 'Der Browser erlaubt keine Benachrichtigungen dieser Website',
  allowThem: 'Sie in seinen Einstellungen erlauben.',
  cannotSubscribe: (p: { readonly why: string }) => `Der Browser kann keine Benachrichtigungen abonnieren: ${p.why}`,
  pushReachable: 'Ist sein Push-Dienst erreichbar?',
} satisfies Words['problems']
