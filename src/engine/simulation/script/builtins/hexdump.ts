/** `hexdump -C`, as in busybox. */
import { bytesOfText } from '../bytes'
import type { Builtin } from '../command'
import { optionsOf } from '../options'
import { OutsideSubset, WithoutInput } from '../words'

const WIDTH = 16

export const hexdump: Builtin = (args, state) => {
  const options = optionsOf(args, 'Cn:')
  if (!options.has('C')) throw new OutsideSubset('hexdump')
  const { operands } = options
  const texts: string[] = []
  for (const path of operands) {
    const text = state.files.read(path)
    if (text === undefined)
      return { error: `hexdump: ${path}: No such file or directory\n`, code: 1 }
    texts.push(text)
  }
  if (operands.length === 0) texts.push(inputOf(state.readInput()))
  const all = bytesOfText(texts.join(''))
  const bytes = all.subarray(0, Number(options.value('n') ?? all.length))
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += WIDTH) {
    state.step()
    lines.push(`${hex(at, 8)}  ${lineOf(bytes.subarray(at, at + WIDTH))}\n`)
  }
  return { output: bytes.length === 0 ? '' : `${lines.join('')}${hex(bytes.length, 8)}\n` }
}

function inputOf(input: string | undefined): string {
  if (input === undefined) throw new WithoutInput('hexdump')
  return input
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

function lineOf(bytes: Uint8Array): string {
  const codes = [...bytes].map((byte) => hex(byte, 2))
  const halves = [codes.slice(0, WIDTH / 2), codes.slice(WIDTH / 2)].map((half) => half.join(' '))
  const shown = [...bytes]
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
    .join('')
  return `${halves.join('  ').padEnd(3 * WIDTH)}  |${shown}|`
}
