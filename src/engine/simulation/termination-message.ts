/**
 * The termination message of a container (https://kubernetes.io/docs/tasks/debug/debug-application/
 * determine-reason-pod-failure/).
 */
import type { SeenContainer } from './pod'
import type { Course } from './script/course'

export const DEFAULT_MESSAGE_PATH = '/dev/termination-log'
/** Limits of a kubelet: bytes of the file, and bytes and lines of the log. */
const MOST_BYTES = 4096
const MOST_LOG_BYTES = 2048
const MOST_LOG_LINES = 80

/** @returns undefined without a message */
export function terminationMessage(
  { terminationMessagePath, terminationMessagePolicy }: SeenContainer,
  course: Course,
): string | undefined {
  const entry = course.files.at(-1)?.files.get(terminationMessagePath || DEFAULT_MESSAGE_PATH)
  const written = entry?.kind === 'file' ? entry.text : ''
  if (written !== '') return lastBytes(written, MOST_BYTES)
  if (terminationMessagePolicy !== 'FallbackToLogsOnError' || course.code === 0) return undefined
  const log = course.lines.map(({ text }) => text).join('')
  const lines = log.split(/(?<=\n)/).slice(-MOST_LOG_LINES)
  return lastBytes(lines.join(''), MOST_LOG_BYTES) || undefined
}

function lastBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= limit ? text : new TextDecoder().decode(bytes.subarray(-limit))
}
