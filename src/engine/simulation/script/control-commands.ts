/** Built-in commands that change the state of the shell itself, or where it goes on. */

// Letters of options. cspell:ignore exuo
import type { Outcome } from './command'
import type { ShellState } from './shell-state'
import { Exit, Jump, Return } from './signals'
import { OutsideSubset } from './syntax'
import { WithoutInput } from './words'

/** The shell, and how its commands run others. */
export interface ControlledShell extends ShellState {
  /** @returns its exit code */
  command(argv: readonly string[]): number
  /** Runs a script in this shell. @returns its exit code */
  evaluate(script: string): number
  /** Waits for background commands, all without numbers. @returns the exit code of the last */
  waitForJobs(numbers: readonly string[]): number
}

type ControlCommand = (args: readonly string[], shell: ControlledShell) => Outcome

const jump =
  (where: 'break' | 'continue'): ControlCommand =>
  (args) => {
    throw new Jump(where, Number(args[0] ?? 1) || 1)
  }

const declareAs =
  (kind: string): ControlCommand =>
  (args, shell) => {
    for (const word of args) shell.declare(kind, word)
    return {}
  }

const exitCode = ([code]: readonly string[], shell: ControlledShell): number =>
  (Number(code ?? shell.code) || 0) & 255

export const CONTROL_COMMANDS: ReadonlyMap<string, ControlCommand> = new Map<
  string,
  ControlCommand
>([
  [
    'exit',
    (args, shell) => {
      throw new Exit(exitCode(args, shell))
    },
  ],
  [
    'return',
    (args, shell) => {
      throw new Return(exitCode(args, shell))
    },
  ],
  [
    'exec',
    (args, shell) => {
      if (args.length === 0) throw new OutsideSubset('exec')
      throw new Exit(shell.command(args))
    },
  ],
  ['eval', (args, shell) => ({ code: shell.evaluate(args.join(' ')) })],
  ['break', jump('break')],
  ['continue', jump('continue')],
  ['set', setOptions],
  [
    'shift',
    (args, shell) => {
      shell.parameters = shell.parameters.slice(Number(args[0] ?? 1) || 0)
      return {}
    },
  ],
  ['cd', changeDirectory],
  ['trap', setTrap],
  ['wait', (args, shell) => ({ code: shell.waitForJobs(args) })],
  [
    'read',
    (args, shell) =>
      readLine(
        args.filter((word) => word !== '-r'),
        shell,
      ),
  ],
  [
    'unset',
    (args, shell) => {
      for (const variable of args) shell.variables.delete(variable)
      return {}
    },
  ],
  ['local', declareAs('local')],
  ['export', declareAs('export')],
  ['readonly', declareAs('readonly')],
])

function changeDirectory(args: readonly string[], shell: ControlledShell): Outcome {
  const path = args[0] ?? shell.variables.get('HOME') ?? '/'
  if (shell.files.there(path) !== 'directory')
    return { error: `sh: cd: can't cd to ${path}: No such file or directory\n`, code: 1 }
  shell.files.directory = shell.files.absolute(path)
  shell.set('PWD', shell.files.directory)
  return {}
}

function setOptions(args: readonly string[], shell: ControlledShell): Outcome {
  for (const [index, option] of args.entries()) {
    if (option === '--') {
      shell.parameters = args.slice(index + 1)
      break
    }
    if (option === '-o' || option === '+o' || option === 'pipefail') continue
    if (!/^[-+][exuo]+$/.test(option)) throw new OutsideSubset('set')
    if (option.includes('e')) shell.endsOnFailure = option.startsWith('-')
  }
  return {}
}

function setTrap(args: readonly string[], { traps }: ControlledShell): Outcome {
  const [script, ...signals] = args
  if (script === undefined || signals.length === 0) throw new OutsideSubset('trap')
  for (const signal of signals) {
    const name = signal.replace(/^SIG/, '').replace(/^15$/, 'TERM').replace(/^0$/, 'EXIT')
    if (script === '-') traps.delete(name)
    else traps.set(name, script)
  }
  return {}
}

/** `read`: one line of the standard input, split over the names. */
function readLine(names: readonly string[], shell: ControlledShell): Outcome {
  const { input } = shell.streams
  if (names.some((name) => name.startsWith('-'))) throw new OutsideSubset('read')
  if (input === undefined) throw new WithoutInput('read')
  if (input.text === '') {
    for (const name of names) shell.set(name, '')
    return { code: 1 }
  }
  const end = input.text.indexOf('\n')
  const line = end < 0 ? input.text : input.text.slice(0, end)
  input.text = end < 0 ? '' : input.text.slice(end + 1)
  shell.step(1 + Math.floor(line.length / 100))
  const separator = shell.variables.get('IFS')
  const words = separator ? line.split(separator) : line.trim().split(/[ \t]+/)
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    shell.set(name, isLast ? words.slice(index).join(separator ?? ' ') : (words[index] ?? ''))
  }
  return { code: end < 0 ? 1 : 0 }
}
