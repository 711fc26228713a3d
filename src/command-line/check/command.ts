import { writeFileSync } from 'node:fs'
import { ALL_RELEASES, DEFAULT_RELEASE, type Release } from '../../engine/releases/release'
import {
  type Command,
  choiceOption,
  type ExitStatus,
  type Given,
  type Terminal,
  textOption,
  textOptions,
  UsageError,
} from '../command'
import { type Manifest, readEveryManifest, readManifests, type Unreadable } from '../manifests/read'
import { Rehearsal } from '../rehearsal/rehearsal'
import { accessChanges, accessIn } from './access'
import { notServed, rejectedNow } from './check-cluster'
import { checkManifests } from './check-manifests'
import { type Checked, countsOf, type Finding } from './findings'
import { jsonFormat } from './formats/json'
import { junitFormat } from './formats/junit'
import { markdownFormat } from './formats/markdown'
import { sarifFormat } from './formats/sarif'
import { counted, textFormat } from './formats/text'

const FORMATS = {
  text: textFormat,
  markdown: markdownFormat,
  json: jsonFormat,
  sarif: sarifFormat,
  junit: junitFormat,
} as const
const FORMAT_NAMES = Object.keys(FORMATS) as (keyof typeof FORMATS)[]

export const CHECK: Command = {
  name: 'check',
  summary: 'Check manifests against a Kubernetes release and admission policies',
  usage: 'PATH... [flags]',
  description: `Check manifests against a Kubernetes release and admission policies.

Each manifest is sent to an API server in memory, which decodes, validates and admits it as
kube-apiserver does. No cluster is contacted. PATH is a file, a directory, or - for standard input.`,
  examples: [
    { comment: 'Check a directory against the newest release', line: 'kubetab check manifests/' },
    {
      comment: 'Check the output of Helm against Kubernetes 1.35',
      line: 'helm template shop | kubetab check --release 1.35 -',
    },
    {
      comment: 'Check against admission policies, for a code host',
      line: 'kubetab check manifests/ --policies policies/ --output sarif --output-file check.sarif',
    },
    {
      comment: 'Report what new roles and policies change in a copy of a cluster',
      line: 'kubetab check changes/ --cluster cluster.yaml',
    },
  ],
  exit: {
    0: 'no errors (with --fail-on=warning: no warnings either)',
    1: 'errors were found',
    2: 'the command line is invalid, or a path cannot be read',
  },
  options: {
    release: {
      type: 'string',
      default: DEFAULT_RELEASE,
      value: 'RELEASE',
      help: `The Kubernetes release, ${ALL_RELEASES[0]} to ${DEFAULT_RELEASE}.`,
    },
    policies: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      help: 'Admission policies, their bindings and parameters, which are in force before the manifests. May be repeated.',
    },
    cluster: {
      type: 'string',
      value: 'FILE',
      help: 'The objects of a cluster, as written by "kubetab import". The manifests are a change of this cluster.',
    },
    as: {
      type: 'string',
      value: 'USER',
      help: 'The user who applies the manifests; an administrator by default.',
    },
    'as-group': {
      type: 'string',
      multiple: true,
      value: 'GROUP',
      help: 'A group of that user. May be repeated.',
    },
    output: {
      type: 'string',
      default: 'text',
      value: 'FORMAT',
      help: `The output format: ${FORMAT_NAMES.join(', ')}.`,
    },
    'output-file': {
      type: 'string',
      value: 'FILE',
      help: 'Write the report to a file instead of standard output.',
    },
    'fail-on': {
      type: 'string',
      default: 'error',
      value: 'LEVEL',
      help: 'The lowest level that fails the check: error or warning.',
    },
  },
  run: runCheck,
}

async function runCheck(given: Given, terminal: Terminal): Promise<ExitStatus> {
  if (given.positionals.length === 0)
    throw new UsageError('no PATH given: name a file, a directory, or - for standard input')
  const release = choiceOption(given, 'release', ALL_RELEASES)
  const format = choiceOption(given, 'output', FORMAT_NAMES)
  const failOn = choiceOption(given, 'fail-on', ['error', 'warning'])
  const read = readManifests(given.positionals, terminal)
  const checked = await check(given, terminal, release, read)
  warnOfWebhooks(checked, terminal)
  const report = FORMATS[format](checked)
  const file = textOption(given, 'output-file')
  if (file === undefined) terminal.write(report)
  else writeFileSync(file, report)
  const { errors, warnings } = countsOf(checked.findings)
  return errors > 0 || (failOn === 'warning' && warnings > 0) ? 1 : 0
}

async function check(
  given: Given,
  terminal: Terminal,
  release: Release,
  { manifests, unreadable }: { manifests: Manifest[]; unreadable: Unreadable[] },
): Promise<Checked> {
  const clusterFile = textOption(given, 'cluster')
  const cluster = clusterFile === undefined ? [] : objectsOf([clusterFile], terminal)
  const user = textOption(given, 'as')
  const rehearsal = await Rehearsal.start({
    release,
    objects: cluster,
    ...(user === undefined ? {} : { user: { name: user, groups: textOptions(given, 'as-group') } }),
  })
  try {
    const before = cluster.length === 0 ? new Map() : await accessIn(rehearsal.server)
    await rehearsal.server.load(
      objectsOf(textOptions(given, 'policies'), terminal) as unknown as Parameters<
        typeof rehearsal.server.load
      >[0],
    )
    const findings: Finding[] = [
      ...unreadable.map(unreadableFinding),
      ...(await checkManifests(rehearsal, manifests, release)),
    ]
    if (cluster.length > 0)
      findings.push(
        ...notServed(rehearsal),
        ...(await rejectedNow(rehearsal, cluster)),
        ...accessChanges(before, await accessIn(rehearsal.server)),
      )
    const webhooks = [...manifests.map(({ object }) => object), ...cluster].filter(isWebhook).length
    return { release, manifests, unreadable, clusterObjects: cluster.length, webhooks, findings }
  } finally {
    await rehearsal.close()
  }
}

const isWebhook = ({ kind }: Manifest['object']): boolean => kind.endsWith('WebhookConfiguration')

/** A check without errors must not look as if webhooks had accepted the manifests. */
function warnOfWebhooks({ webhooks }: Checked, terminal: Terminal): void {
  if (webhooks > 0)
    terminal.writeError(
      `Warning: ${counted(webhooks, 'webhook configuration')} found; a check calls no webhooks.\n`,
    )
}

function objectsOf(paths: readonly string[], terminal: Terminal): Manifest['object'][] {
  return readEveryManifest(paths, terminal).map(({ object }) => object)
}

function unreadableFinding(unreadable: Unreadable): Finding {
  return { level: 'error', rule: 'Unreadable', object: '', ...unreadable }
}
