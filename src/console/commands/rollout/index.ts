/** `kubectl rollout`: status, history, undo, pause, resume, restart. */
import { MEDIA_TYPE } from '../../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import { Failures } from '../../acting/failures'
import { DRY_RUN_FLAG, dryRunOf, fieldManagerFlag } from '../../acting/flags'
import type { FoundObject } from '../../acting/objects'
import { Results } from '../../acting/results'
import { pathWith } from '../../client'
import type { Command, Context, FlagValues } from '../../command'
import { sameTemplate } from '../../describe/workloads'
import { qualified } from '../../discovery'
import { CommandError } from '../../errors'
import { OUTPUT_FLAGS } from '../../output/printer'
import { pathOfTarget } from '../../targets'
import { CHOICE_FLAGS, chosen } from './choice'
import { revisionsOf } from './history'
import { HISTORY, templateText } from './history-command'
import { progressOf } from './status'

const STATUS: Command = {
  name: 'status',
  summary: 'Show the status of the rollout',
  usage: 'rollout status (TYPE NAME | TYPE/NAME) [flags]',
  examples: [
    {
      line: 'kubectl rollout status deployment/web',
      about: 'Watch the rollout status of a deployment',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHOICE_FLAGS,
    {
      name: 'watch',
      short: 'w',
      type: 'on',
      default: 'true',
      about: "Watch the status of the rollout until it's done.",
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about: 'The length of time to wait before giving up; zero means to wait without a limit.',
    },
    {
      name: 'revision',
      type: 'number',
      default: '0',
      about: 'Pin to a specific revision for showing its status. Defaults to 0 (last revision).',
    },
  ],
  async run(context, invocation) {
    const failures = new Failures()
    for (const target of await chosen(context, invocation, failures)) {
      await failures.during(() => follow(context, target, invocation.flags))
    }
    failures.throwIfAny()
    return 0
  },
}

const STEP = 250

async function follow(
  { client, clock, out, signal }: Context,
  target: FoundObject,
  flags: FlagValues,
): Promise<void> {
  const end =
    flags.duration('timeout') === 0
      ? Number.POSITIVE_INFINITY
      : clock.now() + flags.duration('timeout')
  let { object } = target
  let seen = ''
  for (; !signal.aborted; object = await client.get(pathOfTarget(target))) {
    const { resourceVersion } = object.metadata as { resourceVersion: string }
    if (resourceVersion !== seen) {
      seen = resourceVersion
      const { text, done } = progressOf(object, target.resource.kind)
      out(text)
      if (done || !flags.on('watch')) return
    }
    if (clock.now() >= end) throw new CommandError('timed out waiting for the condition')
    await clock.sleep(STEP, signal)
  }
}

const UNDO: Command = {
  name: 'undo',
  summary: 'Undo a previous rollout',
  usage: 'rollout undo (TYPE NAME | TYPE/NAME) [flags]',
  examples: [
    { line: 'kubectl rollout undo deployment/web', about: 'Roll back to the previous deployment' },
    {
      line: 'kubectl rollout undo deployment/web --to-revision=3',
      about: 'Roll back to revision 3',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHOICE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-rollout'),
    ...OUTPUT_FLAGS,
    {
      name: 'to-revision',
      type: 'number',
      default: '0',
      about: 'The revision to rollback to. Default to 0 (last revision).',
    },
  ],
  async run(context, invocation) {
    const dryRun = dryRunOf(invocation.flags, context)
    const results = new Results(context, invocation.flags, dryRun)
    const failures = new Failures()
    for (const target of await chosen(context, invocation, failures)) {
      await failures.during(async () =>
        results.print(target.object, await undo(context, target, invocation.flags, dryRun)),
      )
    }
    failures.throwIfAny()
    return 0
  },
}

/** @returns the message @throws CommandError if the rollback is impossible */
async function undo(
  context: Context,
  target: FoundObject,
  flags: FlagValues,
  dryRun: ReturnType<typeof dryRunOf>,
): Promise<string> {
  const { object, resource } = target
  const number = flags.number('to-revision')
  const revisions = await revisionsOf(context, target).catch((error: unknown) => {
    throw error instanceof CommandError
      ? new CommandError(
          `error retrieving rollbacker for ${JSON.stringify(resource.kind)}, ${error.message}`,
        )
      : error
  })
  const spec = object.spec as { paused?: boolean; template: JsonObject }
  if (spec.paused && dryRun === 'none') {
    throw new CommandError(
      "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
    )
  }
  const revision = number === 0 ? revisions.at(-2) : revisions.find((one) => one.number === number)
  if (revision === undefined && number !== 0)
    throw new CommandError(`unable to find specified revision ${number} in history`)
  if (revision === undefined)
    throw new CommandError(
      `no rollout history found for ${resource.kind.toLowerCase()} ${JSON.stringify(target.name)}`,
    )
  if (dryRun === 'client') return templateText(revision)
  if (
    sameTemplate(
      revision.template as object as Parameters<typeof sameTemplate>[0],
      spec.template as object as Parameters<typeof sameTemplate>[0],
    )
  ) {
    return `skipped rollback (current template already matches revision ${revision.number})`
  }
  await send(
    context,
    target,
    rollbackPatch(revision.template),
    flags,
    dryRun === 'server',
    'application/json-patch+json',
  )
  return 'rolled back'
}

/** Removes the pod-template-hash label, which the template of a Deployment does not have. */
function rollbackPatch(template: JsonObject): JsonObject[] {
  const metadata = isJsonObject(template.metadata) ? template.metadata : {}
  const { 'pod-template-hash': _hash, ...labels } = (
    isJsonObject(metadata.labels) ? metadata.labels : {}
  ) as Record<string, string>
  return [
    {
      op: 'replace',
      path: '/spec/template',
      value: { ...template, metadata: { ...metadata, labels } },
    },
  ]
}

async function send(
  context: Context,
  target: FoundObject,
  body: object,
  flags: FlagValues,
  dryRun: boolean,
  contentType: string,
): Promise<JsonObject> {
  const path = pathWith(pathOfTarget(target), {
    fieldManager: flags.text('field-manager'),
    dryRun: dryRun ? 'All' : undefined,
  })
  return (await context.client.send({ method: 'PATCH', path, contentType, body })).json
}

interface Simple {
  name: string
  summary: string
  done: string
  /** @throws CommandError if the command does not apply to the object */
  patch(target: FoundObject, now: number): JsonObject
}

const isPaused = ({ object }: FoundObject): boolean =>
  (object.spec as { paused?: boolean } | undefined)?.paused === true
const typeName = ({ resource }: FoundObject): string => qualified(resource)

const SIMPLE: Simple[] = [
  {
    name: 'pause',
    summary: 'Mark the provided resource as paused',
    done: 'paused',
    patch(target) {
      if (target.resource.kind !== 'Deployment')
        throw new CommandError(
          `${typeName(target)} ${JSON.stringify(target.name)} pausing is not supported`,
        )
      if (isPaused(target))
        throw new CommandError(
          `${typeName(target)} ${JSON.stringify(target.name)} is already paused`,
        )
      return { spec: { paused: true } }
    },
  },
  {
    name: 'resume',
    summary: 'Resume a paused resource',
    done: 'resumed',
    patch(target) {
      if (target.resource.kind !== 'Deployment')
        throw new CommandError(
          `${typeName(target)} ${JSON.stringify(target.name)} resuming is not supported`,
        )
      if (!isPaused(target))
        throw new CommandError(`${typeName(target)} ${JSON.stringify(target.name)} is not paused`)
      return { spec: { paused: null } }
    },
  },
  {
    name: 'restart',
    summary: 'Restart a resource',
    done: 'restarted',
    patch(target, now) {
      const { kind } = target.resource
      if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet') {
        throw new CommandError(
          `${typeName(target)} ${JSON.stringify(target.name)} restarting is not supported`,
        )
      }
      if (isPaused(target))
        throw new CommandError(
          `${typeName(target)} ${JSON.stringify(target.name)} can't restart paused deployment (run rollout resume first)`,
        )
      const at = new Date(now).toISOString().replace(/\.\d+/, '')
      return {
        spec: {
          template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': at } } },
        },
      }
    },
  },
]

const simple = ({ name, summary, done, patch }: Simple): Command => ({
  name,
  summary,
  usage: `rollout ${name} RESOURCE`,
  examples: [{ line: `kubectl rollout ${name} deployment/web`, about: summary }],
  completes: 'objects',
  flags: [...CHOICE_FLAGS, fieldManagerFlag('kubectl-rollout'), ...OUTPUT_FLAGS],
  async run(context, invocation) {
    const { flags } = invocation
    const results = new Results(context, flags)
    const failures = new Failures()
    const targets = await chosen(context, invocation, failures)
    for (const target of targets) {
      await failures.during(async () => {
        const body = patch(target, context.clock.now())
        results.print(await send(context, target, body, flags, false, MEDIA_TYPE.mergePatch), done)
      })
    }
    failures.throwIfAny()
    if (targets.length === 0) context.err(`No resources found in ${context.namespace} namespace.\n`)
    return 0
  },
})

export const ROLLOUT: Command = {
  name: 'rollout',
  summary: 'Manage the rollout of a resource',
  usage: 'rollout SUBCOMMAND',
  examples: [],
  flags: [],
  commands: [HISTORY, ...SIMPLE.map(simple), STATUS, UNDO],
}
