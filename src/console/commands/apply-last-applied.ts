/** `kubectl apply view-last-applied`, `set-last-applied` and `edit-last-applied` */

import { ANNOTATION } from '../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { goJson } from '../../engine/encoding/json-path-template'
import { toYaml } from '../../engine/encoding/yaml'
import { Failures } from '../acting/failures'
import { ALL_FLAG, DRY_RUN_FLAG, dryRunOf, LABELS_FLAG, RECURSIVE_FLAG } from '../acting/flags'
import { chosenObjects, filedObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command } from '../command'
import { CommandError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget } from '../targets'
import { configurationText, hasLastApplied } from '../three-way'
import { FILE_FLAGS } from './common-flags'

const annotationOf = (object: JsonObject): string | undefined => {
  const annotations =
    isJsonObject(object.metadata) && isJsonObject(object.metadata.annotations)
      ? object.metadata.annotations
      : {}
  const text = annotations[ANNOTATION.lastApplied]
  return typeof text === 'string' ? text : undefined
}

const VIEW: Command = {
  name: 'view-last-applied',
  summary: 'View the latest last-applied-configuration annotations of a resource or object',
  usage: 'apply view-last-applied (TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME)',
  examples: [
    {
      line: 'kubectl apply view-last-applied deployment/web',
      about: 'View the last-applied-configuration annotation in YAML',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    RECURSIVE_FLAG,
    LABELS_FLAG,
    ALL_FLAG,
    {
      name: 'output',
      short: 'o',
      type: 'text',
      default: 'yaml',
      values: ['yaml', 'json'],
      about: 'Output format. One of: (yaml, json).',
    },
  ],
  async run(context, { args, flags }) {
    const format = flags.text('output')
    if (format !== 'yaml' && format !== 'json')
      throw new CommandError(
        `Unexpected -o output mode: ${format}, the flag 'output' must be one of yaml|json\nSee 'kubectl apply view-last-applied -h' for help and examples`,
      )
    const failures = new Failures()
    const choice = {
      args,
      files: flags.list('filename'),
      selector: flags.text('selector') || undefined,
      all: flags.on('all'),
      typeAlone: true,
    }
    const texts: string[] = []
    for await (const { object } of chosenObjects(context, choice, failures)) {
      const text = annotationOf(object)
      if (text === undefined) continue
      const value = JSON.parse(text) as JsonObject
      texts.push(format === 'yaml' ? toYaml(value) : `${goJson(value, 2)}\n`)
    }
    failures.throwIfAny()
    for (const text of texts) context.out(text)
    return 0
  },
}

const SET: Command = {
  name: 'set-last-applied',
  summary:
    'Set the last-applied-configuration annotation on a live object to match the contents of a file',
  usage: 'apply set-last-applied -f FILENAME',
  examples: [
    {
      line: 'kubectl apply set-last-applied -f web.yaml --create-annotation',
      about: 'Set it to the contents of a file, and create the annotation if needed',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    {
      name: 'create-annotation',
      type: 'on',
      about: "Create 'last-applied-configuration' annotations if current objects don't have one.",
    },
  ],
  async run(context, { flags }) {
    const dryRun = dryRunOf(flags, context)
    const results = new Results(context, flags, dryRun)
    const failures = new Failures()
    const changes: (() => Promise<void>)[] = []
    for await (const target of filedObjects(context, flags.list('filename'), failures)) {
      await failures.during(async () => {
        const live = await context.client.get(pathOfTarget(target))
        if (!hasLastApplied(live) && !flags.on('create-annotation')) {
          throw new CommandError(
            `no last-applied-configuration annotation found on resource: ${target.name}, to create the annotation, run the command with --create-annotation`,
          )
        }
        const text = configurationText(target.object)
        if (annotationOf(live) === text) {
          context.out(`set-last-applied ${target.name}: no changes required.\n`)
          return
        }
        changes.push(async () => {
          const body = { metadata: { annotations: { [ANNOTATION.lastApplied]: text } } }
          if (dryRun === 'client') return results.print(live, 'configured')
          const path = pathWith(pathOfTarget(target), {
            fieldManager: 'kubectl-last-applied',
            dryRun: dryRun === 'server' ? 'All' : undefined,
          })
          const { json } = await context.client.send({
            method: 'PATCH',
            path,
            contentType: 'application/merge-patch+json',
            body,
          })
          results.print(json, 'configured')
        })
      })
    }
    failures.throwIfAny()
    for (const change of changes) await change()
    return 0
  },
}

const EDIT: Command = {
  name: 'edit-last-applied',
  summary: 'Not available here: edit the object or the manifest',
  usage: 'apply edit-last-applied (RESOURCE/NAME | -f FILENAME)',
  examples: [],
  flags: [...FILE_FLAGS],
  run: () =>
    Promise.reject(
      new CommandError(
        'edit-last-applied is not available here: change the manifest and use "kubectl apply set-last-applied -f"',
      ),
    ),
}

export const APPLY_COMMANDS: readonly Command[] = [EDIT, SET, VIEW]
