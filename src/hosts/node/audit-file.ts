/**
 * The file that audit events are appended to. It is made at the start, as by kube-apiserver, which does not start without it (public
 * source, apiserver/pkg/server/options/audit.go). What cannot be written afterwards, since the disk is full, is told in the log and fails
 * no request.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../engine/environment'

/** The file is opened for each line: who rotates it moves it away. @throws the system's error if there can be none */
export function auditFile(path: string, log: Log): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openFile(path))
  let isFailing = false
  /** The last line was written in part. */
  let isTorn = false
  return (line) => {
    try {
      append(path, isTorn ? `\n${line}` : line, () => {
        isTorn = true
      })
      isFailing = false
      isTorn = false
    } catch (error) {
      if (!isFailing) log.error(`audit events cannot be written to ${path}`, error)
      isFailing = true
    }
  }
}

const openFile = (path: string): number => openSync(path, 'a', 0o600)

/** @param began is called when something is written */
function append(path: string, text: string, began: () => void): void {
  const bytes = Buffer.from(text)
  const file = openFile(path)
  try {
    for (let written = 0; written < bytes.length; began())
      written += writeSync(file, bytes, written)
  } finally {
    closeSync(file)
  }
}
