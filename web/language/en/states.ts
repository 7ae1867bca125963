
export const enStates = {
usual: {
active: 'Works well',
new: 'Not looked at yet',
paused: 'Paused by you',
saturated: 'Too fast: items were lost',
flooding: 'Floods: takes too much room',
failing: 'Does not answer',
retired: 'Gone',
},
ofCode: {
HTTP_NOT_FOUND: 'Not there any more (404)',
HTTP_GONE: 'Gone for good (410)',
HTTP_TOO_MANY_REQUESTS: 'Asked us to come less often',
HTTP_UNAVAILABLE: 'Away for now (503)',
HTTP_UNAUTHORIZED: 'Wants a log-in (401)',
HTTP_FORBIDDEN: 'Refuses us (403)',
HTTP_SERVER_ERROR: 'Its server fails',
FETCH_DNS: 'Its host is unknown',
FETCH_CONNECT: 'Cannot be reached',
FETCH_TLS: 'Its certificate is not valid',
PARSE_NOT_A_FEED: 'Shows no feed any more',
PARSE_EMPTY: 'Answers with nothing',
},
tooLate: 'Answers too late',
gone: (p: { readonly why: string }) => `Gone: ${p.why}`,
}
