/** Messages recorded from kube-apiserver 1.31. */
import { memoize } from '../schema/memoize'
import { byteLength, regexMessage, tooLongText } from './names'

const KEY = '[-._a-zA-Z0-9]+'
const isKey = new RegExp(`^${KEY}$`)
const KEY_TEXT = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
const MAX_KEY_BYTES = 253

export const dataKeyProblems = memoize((key: string): readonly string[] => {
  const problems: string[] = []
  if (byteLength(key) > MAX_KEY_BYTES) problems.push(tooLongText(MAX_KEY_BYTES))
  if (!isKey.test(key))
    problems.push(regexMessage(KEY_TEXT, KEY, 'key.name', 'KEY_NAME', 'key-name'))
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`)
  else if (key.startsWith('..')) problems.push("must not start with '..'")
  return problems
})

/** In total. */
export const MAX_DATA_BYTES = 1024 * 1024

/** @param text canonical */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
