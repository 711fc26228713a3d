import { textOfHeader } from './text-of-header'

/** `299 - "a", 299 - "b"` -> [`a`, `b`] */
export function warningsOf(header: string | undefined): string[] {
  return [...textOfHeader(header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
    (text as string).replace(/\\(.)/g, '$1'),
  )
}
