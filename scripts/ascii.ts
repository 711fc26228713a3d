/**
 * Escapes all non-ASCII characters of JavaScript. The meaning of names, strings and regular
 * expressions stays the same.
 * V8 stores a source with two bytes per character if one character is beyond Latin-1; browsers do
 * so beyond ASCII. For this bundle that is several megabytes.
 */
export const inAscii = (code: string): string =>
  code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
