/** `kubectl wait` */

import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { JsonPathError } from '../../engine/encoding/json-path-steps'
import { parseJsonPathTemplate } from '../../engine/encoding/json-path-template'
import { goFormat } from '../../engine/schema/go-text'
import { pathWith } from '../client'
import type { Command, Context, Invocation } from '../command'
import { pathOf } from '../discovery'
import { CommandError, ManyErrors, StatusError } from '../errors'
import { relaxedText } from '../output/custom-columns'
import { nameOf, OUTPUT_FLAGS, printerOf } from '../output/printer'
import { objectsOfSelection, pathOfTarget, select, type Target } from '../targets'
import { FILE_FLAGS, SELECTOR_FLAGS, selectorsOf } from './common-flags'

/** @throws CommandError if it cannot be evaluated */
type Holds = (object: JsonObject) => boolean
type Goal = 'delete' | 'create' | Holds

const WEEK = 7 * 24 * 3_600_000
const POLL = 500
const TIMED_OUT = 'timed out waiting for the condition'

export const WAIT: Command = {
  name: 'wait',
  summary: 'Wait for a specific condition on one or many resources',
  usage:
    'wait (TYPE/NAME | TYPE [-l label | --all] | -f FILE) --for=delete|create|condition=NAME[=VALUE]|jsonpath={PATH}[=VALUE]',
  examples: [
    {
      line: 'kubectl wait --for=condition=Ready pod/web',
      about: 'Wait for the pod to contain the status condition of type "Ready"',
    },
    {
      line: 'kubectl wait --for=delete pod/web --timeout=60s',
      about: 'Wait for the pod to be deleted, with a timeout of 60s',
    },
    {
      line: "kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web",
      about: 'Wait for the pod to contain the status phase to be "Running"',
    },
  ],
  flags: [
    ...SELECTOR_FLAGS,
    ...FILE_FLAGS,
    ...OUTPUT_FLAGS,
    {
      name: 'all',
      type: 'on',
      about: 'Select all resources of the specified resource types in the namespace.',
    },
    {
      name: 'for',
      type: 'text',
      values: ['delete', 'create', 'condition=', 'jsonpath='],
      about:
        "The condition to wait on: [delete|create|condition=condition-name[=condition-value]|jsonpath='{JSONPath expression}'[=JSONPath value]]. The default condition-value is true.",
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '30s',
      about:
        "The length of time to wait before giving up. Zero means check once and don't wait, negative means wait for a week.",
    },
  ],
  completes: 'objects',
  async run(context, invocation) {
    const { flags } = invocation
    const goal = goalOf(flags.text('for'))
    const given = flags.duration('timeout')
    const timeout = given < 0 ? WEEK : given
    const waiting = new Waiting(context, timeout)
    try {
      if (goal === 'create') await waiting.untilThere(invocation)
      return await all(context, invocation, goal, waiting)
    } finally {
      waiting.end()
    }
  },
}

/** @throws CommandError for an unsupported condition */
function goalOf(text: string): Goal {
  const word = text.toLowerCase()
  if (word === 'delete' || word === 'create') return word
  const [, kind, rest = ''] = /^(condition|jsonpath)=(.*)$/s.exec(text) ?? []
  if (kind === 'condition') {
    const [name = '', ...value] = rest.split('=')
    return conditionIs(name, rest.includes('=') ? value.join('=') : 'true')
  }
  if (kind === 'jsonpath') return pathIs(rest)
  throw new CommandError(`unrecognized condition: ${JSON.stringify(text)}`)
}

/** observedGeneration must be the current one. */
function conditionIs(name: string, value: string): Holds {
  return ({ metadata, status }) => {
    const conditions =
      isJsonObject(status) && Array.isArray(status.conditions)
        ? status.conditions.filter(isJsonObject)
        : []
    const condition = conditions.find(
      ({ type }) => String(type).toLowerCase() === name.toLowerCase(),
    )
    if (condition === undefined) return false
    const generation = isJsonObject(metadata) ? metadata.generation : undefined
    const observed =
      condition.observedGeneration ?? (isJsonObject(status) ? status.observedGeneration : undefined)
    if (typeof generation === 'number' && typeof observed === 'number' && observed < generation)
      return false
    return String(condition.status).toLowerCase() === value.toLowerCase()
  }
}

function pathIs(text: string): Holds {
  // A double equals sign belongs to a filter.
  const parts = text.split(/(?<!=)=(?!=)/)
  const [expression = '', written] = parts
  if (parts.length > 2) {
    throw new CommandError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    )
  }
  const value = written?.replace(/^['"]+|['"]+$/g, '')
  if (value === '') {
    throw new CommandError(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    )
  }
  if (expression === '') throw new CommandError('jsonpath expression cannot be empty')
  const path = pathOrError(() => parseJsonPathTemplate(relaxedText(expression)))
  return (object) => {
    const found = pathOrError(() => path.find(object))
    if (found.length === 0 || found[0]?.length === 0) return false
    if (found.length > 1)
      throw new CommandError('given jsonpath expression matches more than one list')
    const [first, ...more] = found[0] ?? []
    if (more.length > 0 || first === undefined)
      throw new CommandError('given jsonpath expression matches more than one value')
    if (value === undefined) return true
    if (typeof first === 'object' && first !== null) {
      throw new CommandError('jsonpath leads to a nested object or list which is not supported')
    }
    return goFormat(first).trim() === value.trim()
  }
}

function pathOrError<Value>(what: () => Value): Value {
  try {
    return what()
  } catch (error) {
    throw error instanceof JsonPathError ? new CommandError(error.message) : error
  }
}

async function all(
  context: Context,
  { args, flags }: Invocation,
  goal: Goal,
  waiting: Waiting,
): Promise<number> {
  const printer = flags.text('output') === '' ? undefined : printerOf(flags)
  const selection = await select(context, {
    args,
    files: flags.list('filename'),
    ...selectorsOf(flags),
    all: flags.on('all'),
    allNamespaces: flags.on('all-namespaces'),
  })
  const errors: Error[] = []
  let visited = 0
  const visit = async (target: Target & { object: JsonObject }) => {
    visited++
    try {
      const last = await waiting.until(target, goal)
      context.out(printer === undefined ? `${nameOf(last)} condition met\n` : printer.print(last))
    } catch (error) {
      if (context.signal.aborted || !(error instanceof Error)) throw error
      errors.push(
        waiting.timedOut
          ? new CommandError(`${TIMED_OUT} on ${target.resource.resource}/${target.name}`)
          : error,
      )
    }
  }
  for (const target of selection.targets) {
    try {
      const object = await context.client.get(pathOfTarget(target))
      await visit({ ...target, object })
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      if (!(goal === 'delete' && error.code === 404)) errors.push(error)
    }
  }
  for await (const target of objectsOfSelection(context, { ...selection, targets: [] }))
    await visit(target)
  if (errors.length > 0) throw new ManyErrors(errors)
  if (visited === 0 && goal !== 'delete') throw new CommandError('no matching resources found')
  return 0
}

/** The time left for all objects. */
class Waiting {
  private readonly over = new AbortController()
  private readonly done = new AbortController()
  timedOut = false

  constructor(
    private readonly context: Context,
    private readonly timeout: number,
  ) {
    const { signal, clock } = context
    signal.addEventListener('abort', () => this.over.abort(), { once: true })
    if (timeout === 0) return
    void clock.sleep(timeout, this.done.signal).then(() => {
      if (this.done.signal.aborted) return
      this.timedOut = true
      this.over.abort()
    })
  }

  end(): void {
    this.done.abort()
    this.over.abort()
  }

  /** Polls until all named objects exist. @throws CommandError after the timeout */
  async untilThere({ args, flags }: Invocation): Promise<void> {
    const { context } = this
    for (;;) {
      try {
        const selection = await select(context, { args, files: flags.list('filename') })
        for (const target of selection.targets) await context.client.get(pathOfTarget(target))
        return
      } catch (error) {
        if (!(error instanceof StatusError) || error.code !== 404) throw error
      }
      await context.clock.sleep(POLL, this.over.signal)
      if (this.timedOut) throw new CommandError(TIMED_OUT)
      if (context.signal.aborted) return
    }
  }

  /**
   * @returns the object's last state @throws CommandError after the timeout, StatusError if it is
   * gone
   */
  async until(target: Target & { object: JsonObject }, goal: Goal): Promise<JsonObject> {
    const { resource, namespace, name, object } = target
    if (goal === 'create' || (goal !== 'delete' && goal(object))) return object
    if (this.timeout === 0)
      throw new CommandError(`condition not met for ${resource.resource}/${name}`)
    const { client } = this.context
    const base = pathWith(pathOf(resource, namespace), { fieldSelector: `metadata.name=${name}` })
    const list = await client.get(base)
    const [now] = Array.isArray(list.items) ? list.items.filter(isJsonObject) : []
    if (now === undefined) {
      if (goal === 'delete') return object
      await client.get(pathOfTarget(target))
    } else if (goal !== 'delete' && goal(now)) return { ...object, ...now }
    const version = isJsonObject(list.metadata) ? String(list.metadata.resourceVersion) : ''
    const path = pathWith(base, { resourceVersion: version, watch: 'true' })
    for await (const event of client.lines({ path, signal: this.over.signal })) {
      if (!isJsonObject(event.object)) continue
      if (event.type === 'DELETED' && goal === 'delete') return event.object
      if (
        event.type !== 'DELETED' &&
        event.type !== 'ERROR' &&
        goal !== 'delete' &&
        goal(event.object)
      )
        return event.object
    }
    throw new CommandError(`${TIMED_OUT} on ${resource.resource}/${name}`)
  }
}
