/**
 * Escapes all non-ASCII characters of JavaScript; the meaning in names, strings and regular expressions is the same.
 * V8 stores the source in two bytes a character if one is beyond Latin-1, and a browser if one is beyond ASCII. Here
 * that is megabytes.
 */
export const inAscii = (code: string): string =>
  code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
