import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { FileError, type Files } from '../../engine/core/environment'
import { entryOf } from '../../engine/core/object'

/** System error messages of common error codes. */
const REASONS: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
}

/** Polling interval of watched files. Events would miss a directory that is replaced as a whole. */
const INTERVAL_MILLISECONDS = 1000

export const systemFiles: Files = {
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw new FileError(path, entryOf(REASONS, code) ?? String(error))
    }
  },
  watch(path, changed) {
    watchFile(path, { interval: INTERVAL_MILLISECONDS, persistent: false }, changed)
    return () => unwatchFile(path, changed)
  },
}
