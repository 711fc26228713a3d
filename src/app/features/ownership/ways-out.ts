/**
 * Ways out of a conflict: changes to the manifest and a second request (kubernetes.io,
 * "Conflicts").
 */
import type { Json } from '../../../engine/core/object'
import { parseManifest } from '../manifests/documents'
import { editedManifest } from '../manifests/edit'
import type { ConflictField } from './effects'

/**
 * `leave`  the field leaves the manifest: its owner keeps it alone
 *   `share`  the manifest takes the live value: one more owner
 *   `force`  the manifest's value with only this owner
 */
export type WayOut = 'leave' | 'share' | 'force'

export interface SecondTry {
  /** The whole file. */
  text: string
  force: boolean
}

export function secondTry(
  text: string,
  line: number,
  conflicts: readonly ConflictField[],
  wayOf: (field: string) => WayOut,
): SecondTry {
  const edits = conflicts.flatMap(({ field, path, live }) => {
    const way = wayOf(field)
    return path === undefined || way === 'force'
      ? []
      : [{ path, value: way === 'share' ? live : undefined }]
  })
  return {
    text: editedManifest(text, line, edits),
    force: conflicts.some(({ field }) => wayOf(field) === 'force'),
  }
}

/** @returns the document that begins on the line; an empty object without one */
export function documentAt(text: string, line: number): Json {
  return parseManifest(text).documents.find((document) => document.line === line)?.value ?? {}
}
