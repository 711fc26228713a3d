/**
 * Appends audit events to a file. As in kube-apiserver, the server does not start without it
 * (`apiserver/pkg/server/options/audit.go`); later write errors are logged and fail no request.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../engine/core/environment'

/**
 * Opened for each line, so that log rotation can move the file.
 * @throws the system's error if it cannot be created
 */
export function auditFile(path: string, log: Log): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openFile(path))
  let isFailing = false
  /** The last line was written partially. */
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
