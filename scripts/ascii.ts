/**
 * Escapes non-ASCII characters of JavaScript. Beyond Latin-1 (in browsers: ASCII), V8 stores a
 * source with two bytes per character, several megabytes here.
 */
export const inAscii = (code: string): string =>
  code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
