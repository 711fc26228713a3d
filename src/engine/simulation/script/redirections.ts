/** Opens the files of redirections. */

import { FileError } from './entries'
import type { Expansion } from './expansion'
import type { ShellState, Streams } from './shell-state'
import type { Redirection } from './syntax'

/**
 * @returns the streams of a command with redirections
 * @throws FileError if a file cannot be opened
 */
export function redirectedStreams(
  redirections: readonly Redirection[],
  shell: ShellState,
  expansion: Expansion,
): Streams {
  const streams = { ...shell.streams }
  for (const { from, kind, to } of redirections) {
    if (typeof to === 'number') {
      const copied = to === 2 ? streams.error : streams.output
      if (from.includes(1)) streams.output = copied
      if (from.includes(2)) streams.error = copied
    } else if (kind === 'document') streams.input = { text: expansion.joined(to) }
    else if (kind === 'read') streams.input = { text: readable(shell, expansion.joined(to)) }
    else {
      const sink = shell.sinkOf(expansion.joined(to), kind === 'append')
      if (from.includes(1)) streams.output = sink
      if (from.includes(2)) streams.error = sink
    }
  }
  return streams
}

function readable({ files }: ShellState, path: string): string {
  const text = files.read(path)
  if (text === undefined) throw new FileError('No such file or directory', path)
  return text
}
