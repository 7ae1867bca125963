import type { ReactNode } from 'react'

export const enShell = {
pages: {
overview: 'Overview',
read: 'Read',
sources: 'Sources',
queries: 'Queries',
deliveries: 'Deliveries',
lab: 'Lab',
settings: 'Settings',
},
themes: {
system: 'system',
light: 'light',
dark: 'dark',
},
language: 'Language',
asBrowser: 'As the browser',
thePage: 'the page',
noSuchPage: 'No such page',
noPageAt: (p: { readonly path: string }) => `There is no page at ${p.path}`,
mistyped: 'The address may be mistyped, or of another version.',
toOverview: 'To the overview',
alarms: 'Alarms',
began: (p: { readonly when: ReactNode }) => <>began {p.when}</>,
skip: 'Skip to content',
pagesOfNode: 'Pages',
node: 'Node',
more: 'More',
theme: (p: { readonly theme: string }) => `Theme: ${p.theme}`,
logOut: 'Log out',
}
