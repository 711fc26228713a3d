import { ALL_RELEASES, DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import {
  type Command,
  choiceOption,
  type ExitStatus,
  type Given,
  type Terminal,
  UsageError,
} from '../command'
import { readEveryManifest } from '../manifests/read'
import { type Difference, differencesBetween, storedObjects } from './stored-objects'

const OUTPUTS = ['text', 'json'] as const

export const DIFF: Command = {
  name: 'diff',
  summary: 'Compare what two directories or two releases store',
  usage: 'PATH [PATH] [flags]',
  description: `Compare what two directories or two releases store.

The manifests of each side are applied to an API server in memory, and the stored objects are
compared, with defaults and without values that each cluster generates. Values of Secrets are not printed.`,
  examples: [
    {
      comment: 'What does Kubernetes 1.37 store otherwise than 1.31?',
      line: 'kubetab diff manifests/ --from-release 1.31 --to-release 1.37',
    },
    {
      comment: 'What does a pull request change, after defaulting?',
      line: 'kubetab diff main/manifests/ manifests/',
    },
  ],
  exit: {
    0: 'both sides store the same',
    1: 'there are differences',
    2: 'the command line is invalid, or a path cannot be read',
  },
  options: {
    'from-release': {
      type: 'string',
      default: DEFAULT_RELEASE,
      value: 'RELEASE',
      help: 'The Kubernetes release of the first side.',
    },
    'to-release': {
      type: 'string',
      default: DEFAULT_RELEASE,
      value: 'RELEASE',
      help: 'The Kubernetes release of the second side.',
    },
    output: {
      type: 'string',
      default: 'text',
      value: 'FORMAT',
      help: `The output format: ${OUTPUTS.join(', ')}.`,
    },
  },
  run: runDiff,
}

async function runDiff(given: Given, terminal: Terminal): Promise<ExitStatus> {
  const [from, to = from, ...more] = given.positionals
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError('name one PATH for two releases, or two PATHs')
  const [fromRelease, toRelease] = [
    releaseOf(given, 'from-release'),
    releaseOf(given, 'to-release'),
  ]
  if (from === to && fromRelease === toRelease)
    throw new UsageError('both sides are the same: name a second PATH, or --from-release')
  const output = choiceOption(given, 'output', OUTPUTS)
  const before = await storedObjects({
    manifests: readEveryManifest([from], terminal),
    release: fromRelease,
  })
  const after = await storedObjects({
    manifests: readEveryManifest([to], terminal),
    release: toRelease,
  })
  const differences = differencesBetween(before, after)
  const sides: [string, string] = [`${from} (${fromRelease})`, `${to} (${toRelease})`]
  if (output === 'json') terminal.write(`${JSON.stringify({ sides, differences }, null, 2)}\n`)
  else terminal.write(differences.map((one) => textOf(one, sides)).join(''))
  return differences.length > 0 ? 1 : 0
}

function releaseOf(given: Given, option: string): Release {
  return choiceOption(given, option, ALL_RELEASES)
}

function textOf({ object, lines, rejected }: Difference, sides: [string, string]): string {
  const remarks = rejected.flatMap((message, side) =>
    message === undefined ? [] : [`# ${sides[side]} rejects it: ${message.split('\n')[0]}`],
  )
  return [
    `--- ${object}\t${sides[0]}`,
    `+++ ${object}\t${sides[1]}`,
    ...remarks,
    ...lines,
    '',
  ].join('\n')
}
