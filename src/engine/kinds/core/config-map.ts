/** Rules of ConfigMaps. Recorded from kube-apiserver 1.31. */

import { entryOf, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { base64Length, dataKeyProblems, MAX_DATA_BYTES } from '../../validation/data-keys'
import { invalidValue, tooLong } from '../../validation/field-errors'
import { byteLength } from '../../validation/names'
import { changesOfImmutable } from './immutable-data'

interface ConfigMap extends KubeObject {
  data?: Record<string, string> | null
  binaryData?: Record<string, string> | null
}

function keyErrors(keys: string[], path: string): FieldError[] {
  return keys.flatMap((key) =>
    dataKeyProblems(key).map((problem) => invalidValue(`${path}[${key}]`, key, problem)),
  )
}

/** Without counting bytes: a UTF-16 code unit takes at most three. */
function isPlainlyRight(texts: Record<string, string>, binaries: Record<string, string>): boolean {
  let characters = 0
  for (const key in texts) {
    if (dataKeyProblems(key).length > 0 || Object.hasOwn(binaries, key)) return false
    characters += (entryOf(texts, key) ?? '').length
  }
  for (const key in binaries) {
    if (dataKeyProblems(key).length > 0) return false
    characters += (entryOf(binaries, key) ?? '').length
  }
  return characters * 3 <= MAX_DATA_BYTES
}

export const configMapStrategy: Strategy = {
  validate(object) {
    const { data, binaryData } = object as ConfigMap
    const texts = data ?? {}
    const binaries = binaryData ?? {}
    if (isPlainlyRight(texts, binaries)) return []
    const textKeys = Object.keys(texts).sort()
    const binaryKeys = Object.keys(binaries).sort()
    const size =
      textKeys.reduce((sum, key) => sum + byteLength(entryOf(texts, key) ?? ''), 0) +
      binaryKeys.reduce((sum, key) => sum + base64Length(entryOf(binaries, key) ?? ''), 0)
    return [
      ...textKeys.flatMap((key) => [
        ...keyErrors([key], 'data'),
        ...(Object.hasOwn(binaries, key)
          ? [invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')]
          : []),
      ]),
      ...keyErrors(binaryKeys, 'binaryData'),
      // `[]` is kube-apiserver's path of the whole object.
      ...(size > MAX_DATA_BYTES ? [tooLong('[]', MAX_DATA_BYTES)] : []),
    ]
  },
  validateUpdate: (object, old) => changesOfImmutable(object, old, ['data', 'binaryData']),
}
