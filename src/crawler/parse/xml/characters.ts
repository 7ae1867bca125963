const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
export const BANG = 33
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const SLASH = 47
export const LESS_THAN = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63

export function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB || code === RETURN
}

/** Generous beyond ASCII: a name that XML would not allow there harms nobody. */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58 || code > 127
}

export function isXmlDeclaration(text: string, less: number): boolean {
  return text.startsWith('<?xml', less) && isSpace(text.charCodeAt(less + 5))
}
