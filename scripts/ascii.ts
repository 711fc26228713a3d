/**
 * JavaScript with its signs beyond ASCII as escapes, which mean the same in names, texts and regular expressions: V8 keeps the text of what
 * it runs at two bytes a sign if one of them is beyond Latin-1, and a browser if one is beyond ASCII. For this project that is megabytes.
 */
export const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
